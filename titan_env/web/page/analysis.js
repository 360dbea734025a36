// The analysis of a finished game: chances of winning over the game, the best choices here, mistakes, what an agent would do.

import { _, post, byId, withErrors, element } from "./dom.js";
import { canLeave, leaveHere } from "./branches.js";
import { markChoices } from "./choice-marks.js";
import { forgetMistakes, markMistake } from "./history.js";
import { bar, thoughts } from "./players.js";
import { agentsOf, nameOf } from "./setup-form.js";

const [AT_FIRST, AT_ONCE, BETTER] = [8, 32, 16]; // moments in one question: the first, all, and where they are made better
const [ROUND, ENOUGH] = [8, 32]; // play-outs of a moment: the first, and the most while the whole game is gone through
const BUDGET = 8; // seconds of the server's processor after which the graph is made no better by itself
const LONGEST = 30; // seconds after which the moments of a very long game are left as they are
const [WIDTH, HEIGHT, EDGE] = [340, 130, 6]; // of the graph

let game = null; // the game that is analysed: its id, its length, and what has been found of it
let view = null; // the moment that is shown
let go = null; // how to go to another moment
let isAtWork = false;

// Show what is known of the moment that is shown, and go on finding out, if somebody looks at it.
export function showAnalysis(id, shown, look) {
  [view, go] = [shown, look];
  byId("analysis").hidden = !view.finished;
  showGraph();
  if (!view.finished) return;
  if (game?.id !== id || game.last !== view.last) begin(id);
  byId("answer").replaceChildren();
  draw();
  work();
}

function begin(id) {
  game = { id, last: view.last, by: "", seconds: 0, chances: new Map(), choices: new Map(), isSearched: false };
  forgetMistakes(id);
  byId("adviser").replaceChildren();
}

export function prepareAnalysis() {
  byId("analysis").ontoggle = () => {
    showGraph();
    if (!view?.finished) return;
    draw();
    if (byId("analysis").open) {
      byId("analysis").scrollIntoView(); // its panel is lower than it
      byId("graph").scrollIntoView({ block: "end" }); // on a phone it stands below the board
    }
    work();
  };
  byId("find-mistakes").onclick = () => { game.isSearched = true; draw(); work(); };
  byId("ask").onclick = ask;
  byId("chances").onclick = click => {
    const { left, width } = byId("chances").getBoundingClientRect();
    const share = ((click.clientX - left) / width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    go(Math.max(0, Math.min(game.last, Math.round(share * game.last))));
  };
}

// Finding out: one question at a time. First a critic's line, or a few play-outs of moments all over the game; then the
// choices here, few play-outs of every moment, and more of them where it matters.

async function work() {
  if (isAtWork) return;
  isAtWork = true;
  byId("analysis").setAttribute("aria-busy", true);
  for (let asked = next(); asked; asked = next()) {
    if (!await withErrors(asked)) break;
    draw();
  }
  isAtWork = false;
  byId("analysis").setAttribute("aria-busy", false);
}

function next() {
  if (!byId("analysis").open || byId("analysis").hidden || byId("table").hidden) return null;
  const of = game;
  if (!of.by) return () => askChances(of, [...Array(of.last + 1).keys()], 0);
  const fewer = (moments, worlds) => moments.filter(at => playedOut(of, at) < worlds);
  const all = order(of.last);
  const coarse = fewer(all.slice(0, AT_FIRST), ROUND);
  if (coarse.length) return () => askChances(of, coarse, ROUND);
  if (!of.choices.has(view.at)) return askChoices.bind(null, of, view.at);
  const here = fewer([view.at], ENOUGH);
  if (here.length) return () => askChances(of, here, ENOUGH);
  const missing = of.seconds < LONGEST ? fewer(all, ROUND).slice(0, AT_ONCE) : [];
  if (missing.length) return () => askChances(of, missing, ROUND);
  const open = of.isSearched ? all.find(at => !of.choices.has(at)) : undefined;
  if (open !== undefined) return askChoices.bind(null, of, open);
  const unsure = of.seconds < BUDGET ? fewer(all, ENOUGH).sort((one, other) => worth(of, other) - worth(of, one)).slice(0, BETTER) : [];
  return unsure.length ? () => askChances(of, unsure, Math.min(...unsure.map(at => playedOut(of, at))) + ROUND) : null;
}

// All moments, the ends and those at equal distances first, then those between them.
function order(last) {
  const listed = new Set([0, last]);
  for (let step = 2 ** Math.floor(Math.log2(Math.max(1, last / 8))); step >= 1; step /= 2) {
    for (let at = 0; at <= last; at += step) listed.add(at);
  }
  return [...listed];
}

// The end of a game has its result, which no play-outs make better.
const playedOut = (of, at) => of.chances.has(at) ? of.chances.get(at).worlds ?? Infinity : 0;

// How much more play-outs tell of a moment: much where its neighbours differ from it, and where little is known.
function worth(of, at) {
  const [here, ...beside] = [at, at - 1, at + 1].map(one => of.chances.get(one)).filter(Boolean);
  const steps = beside.flatMap(({ chances }) => chances.map((chance, seat) => Math.abs(chance - here.chances[seat])));
  return (Math.max(0, ...steps) + Math.max(...here.errors)) / here.worlds;
}

async function askChances(of, moments, worlds) {
  const found = await post("chances", { id: of.id, moments, worlds });
  Object.assign(of, { by: found.by, seconds: found.seconds });
  for (const [at, known] of Object.entries(found.moments)) of.chances.set(Number(at), known);
  return true;
}

async function askChoices(of, at) {
  const found = await post("choices", { id: of.id, at });
  of.choices.set(at, found);
  if (found.mark) markMistake(of.id, at + 1, found.mark, mistakeIn(found));
  return true;
}

// A mistake in words: its kind, what it gave away, and what was better.
function mistakeIn({ mark, choices }) {
  const kind = { "?!": _("Inaccuracy"), "?": _("Mistake"), "??": _("Blunder") }[mark];
  const lost = Math.round(choices.find(({ played }) => played).margin);
  return _("{kind}: gives away {n} % of the chances; better was: {say}", { kind, n: lost, say: choices[0].say });
}

async function ask() {
  const [of, at, agent] = [game, view.at, byId("adviser").value];
  byId("answer").replaceChildren(element("p", _("{agent} thinks …", { agent }), { className: "hint" }));
  const found = await withErrors(() => post("advise", { id: of.id, at, agent }));
  if (of !== game || at !== view.at) return;
  const said = found && element("p", _("{agent}: {say}", { agent, say: found.say }));
  byId("answer").replaceChildren(...said ? [said, ...thoughts(found)] : []);
}

// Drawing

// The graph stands with the timeline, in sight of the board, as long as the analysis is open.
function showGraph() {
  byId("graph").hidden = !view?.finished || !byId("analysis").open;
}

const percent = share => `${Math.round(100 * share)} %`;
const across = at => EDGE + (WIDTH - 2 * EDGE) * at / Math.max(1, game.last);
const down = share => EDGE + (HEIGHT - 2 * EDGE) * (1 - share);

function draw() {
  if (!byId("analysis").open) return;
  const known = [...game.chances.keys()].sort((a, b) => a - b);
  drawGraph(known);
  byId("judged").textContent = game.by && [
    _("From each moment {by} plays on for everybody, with new dice.", { by: nameOf(game.by) }),
    _("Moments played out: {n} of {all}.", { n: known.filter(at => playedOut(game, at) > 0).length, all: game.last + 1 }),
  ].join(" ");
  const here = game.chances.get(view.at);
  byId("legend").replaceChildren(...view.names.map((name, seat) => {
    const item = element("li", `${seat + 1} ${nameOf(name)}`, { className: `seat${seat}` });
    item.append(element("b", here ? percent(here.chances[seat]) : "…"));
    if (here?.errors[seat]) item.append(element("small", ` ± ${Math.round(100 * here.errors[seat])}`));
    return item;
  }));
  drawChoices(game.choices.get(view.at));
  const [searched, all] = [[...game.choices.keys()].length, game.last + 1];
  const mistakes = [...game.choices.values()].filter(({ mark }) => mark).length;
  byId("find-mistakes").disabled = game.isSearched;
  Object.assign(byId("searched"), { max: all, value: searched, hidden: !game.isSearched || searched === all });
  byId("mistakes").textContent = game.isSearched ? _("Mistakes: {n}", { n: mistakes }) : "";
  const advisers = byId("adviser").length ? [] : agentsOf(view.game); // a record may be open before these are known
  byId("adviser").append(...advisers.map(name => element("option", nameOf(name), { value: name })));
  byId("ask").disabled = view.asked === null || !byId("adviser").length;
}

function drawGraph(known) {
  const point = (at, share) => `${across(at).toFixed(1)},${down(Math.max(0, Math.min(1, share))).toFixed(1)}`;
  const chance = (at, seat) => game.chances.get(at).chances[seat];
  const bands = view.names.map((name, seat) => {
    const edge = (at, sign) => point(at, chance(at, seat) + sign * game.chances.get(at).errors[seat]);
    const around = [...known.map(at => edge(at, 1)), ...known.toReversed().map(at => edge(at, -1))];
    return `<polygon class="seat${seat}" points="${around.join(" ")}"/>`;
  });
  const lines = view.names.map((name, seat) =>
    `<polyline class="seat${seat}" points="${known.map(at => point(at, chance(at, seat))).join(" ")}"/>`);
  const marks = [...game.choices].filter(([at, { mark }]) => mark && game.chances.has(at)).map(([at, { seat }]) =>
    `<path class="mistake" d="M${point(at, chance(at, seat))}h0"/>`);
  const rules = [0, .5, 1].map(share => `<path class="rule" d="M${EDGE} ${down(share)}H${WIDTH - EDGE}"/>`);
  const here = `<path class="here" d="M${across(view.at).toFixed(1)} 0V${HEIGHT}"/>`;
  byId("chances").innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img">${[...rules, ...bands, here, ...lines, ...marks].join("")}</svg>`;
  const [first, last] = [game.chances.get(0), game.chances.get(game.last)];
  const told = first && last ? view.names.map((name, seat) => _("Player {n}: {first} at the start, {last} at the end",
    { n: seat + 1, first: percent(first.chances[seat]), last: percent(last.chances[seat]) })) : [];
  byId("chances").firstElementChild.setAttribute("aria-label", [_("Chances of winning over the game"), ...told].join(". "));
}

function drawChoices(found) {
  byId("best").replaceChildren();
  markChoices(found);
  byId("verdict").textContent = found?.mark ? mistakeIn(found) : "";
  byId("goes-on").textContent = "";
  if (!found) byId("best").append(element("p", _("The choices are being played out …"), { className: "hint" }));
  else if (!found.choices) byId("best").append(element("p", _("There is no choice here."), { className: "hint" }));
  else {
    byId("best").append(...found.choices.map(({ action, say, chance, margin, error, played }) => {
      const more = margin ? _("{chance} %, {margin} ± {error} points less than the best", { chance, margin, error }) : `${chance} %`;
      const row = bar(say, `${Math.round(chance)} %`, chance / 100, more);
      if (canLeave(view)) {
        const title = _("What if: play on from here");
        row.querySelector("b").replaceChildren(element("button", say, { title, onclick: () => leaveHere(action) }));
      }
      if (margin) row.append(element("small", `−${margin} ± ${error}`));
      if (played) row.append(element("small", [_("played"), found.mark].filter(Boolean).join(" "), { className: "played" }));
      return row;
    }));
    byId("goes-on").textContent = found.line.length > 1 ? _("It may go on: {line}", { line: found.line.join("; ") }) : "";
  }
}
