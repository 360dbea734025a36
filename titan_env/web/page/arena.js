// The arena: published ratings, challenges to those agents, and any agent in one's own seat with the same dice.

import { _, post, byId, element, withErrors } from "./dom.js";
import { agentsOf, chosenGame, colourPage, gamesOf, nameOf } from "./setup-form.js";

const MEASURE = "expert"; // the agent whose rating is 0
let sit = null; // what to do with a game that has begun
let shown = null; // the challenge whose comparisons are shown

export function prepareArena(begun) {
  sit = begun;
  byId("arena-game").onchange = showLadders;
  byId("play-instead").onclick = playInstead;
}

export async function showArena() {
  const choice = byId("arena-game");
  if (!choice.options.length) {
    choice.append(...gamesOf().map(({ name, title }) => element("option", title, { value: name })));
    choice.value = chosenGame();
  }
  await showLadders();
}

async function showLadders() {
  const game = byId("arena-game").value;
  colourPage(game);
  byId("ladders").replaceChildren(); // nobody challenges an agent of the game before
  const found = await withErrors(() => post("ladders", { game }));
  if (!found || game !== byId("arena-game").value) return;
  byId("unrated").hidden = found.ladders.length > 0;
  byId("ladders").replaceChildren(...found.ladders.map(ladder => ladderOf(game, ladder)));
}

function ladderOf(game, { options, agent: agents }) {
  const named = Object.entries(options).map(([name, value]) => `${name} = ${value}`).join(", ") || _("as usual");
  const table = element("table");
  table.append(element("caption", named));
  const head = element("tr");
  head.append(...[_("Agent"), _("Rating"), "95 %", ""].map(text => element("th", text, { scope: "col" })));
  table.append(head);
  for (const { name, about, rating, low, high } of agents) {
    const line = element("tr");
    const button = element("button", _("Challenge"), { onclick: () => challenge(game, options, name) });
    button.setAttribute("aria-label", _("Challenge {name}", { name }));
    const cell = element("td");
    cell.append(button);
    const interval = low === high ? "" : _("{low} to {high}", { low: signed(low), high: signed(high) });
    const who = element("th", name, { scope: "row" });
    who.append(element("small", [about, inWords(name, rating)].filter(Boolean).join(". ")));
    line.append(who, element("td", signed(rating)), element("td", interval), cell);
    table.append(line);
  }
  return table;
}

// How strong an agent is, as people would say it: 100 points more win 64 games in 100.
function inWords(name, rating) {
  if (rating === null || name === MEASURE) return "";
  const n = Math.round(100 / (1 + 10 ** (-rating / 400)));
  if (n < 1) return _("It wins hardly ever against “expert”");
  if (n > 99) return _("It wins nearly always against “expert”");
  return _("It wins {n} of 100 games against “expert”", { n });
}

const signed = points => points === null ? "…" : String(points).replace("-", "−");

// Begin a game in which everybody else is this agent.
async function challenge(game, options, name) {
  const typed = Object.fromEntries(Object.entries(options).map(([option, value]) => [option, String(value)]));
  const begun = await withErrors(async () => {
    const { seats } = await post("seats", { game, options: typed });
    const own = Number(byId("arena-seat").value);
    if (!(own >= 1 && own <= seats)) throw new Error(_("expected a seat from 1 to {n}", { n: seats }));
    const names = Array.from({ length: seats }, (unused, seat) => seat === own - 1 ? "person" : name);
    const seed = byId("arena-seed").value.trim();
    return post("begin", { game, options: typed, names, seed, challenge: true });
  });
  if (begun) sit(begun);
}

// After a challenge: whoever else is to play one's seat with the same dice.
export function showSameDice(id, view) {
  byId("same-dice").hidden = !view.challenge || !view.ranking.length;
  if (byId("same-dice").hidden || shown === id) return;
  shown = id;
  byId("instead").replaceChildren(...agentsOf(view.game).map(name => element("option", name)));
  byId("instead").value = view.names.find(name => name !== "person");
  const own = view.names.indexOf("person");
  byId("compared").replaceChildren(placeOf(_("you"), view.ranking.find(({ seat }) => seat === own)));
}

async function playInstead() {
  const id = shown;
  byId("play-instead").disabled = true;
  const found = await withErrors(() => post("instead", { id, agent: byId("instead").value }));
  byId("play-instead").disabled = false;
  if (!found || id !== shown) return;
  const line = placeOf(nameOf(found.agent), found.ranking.find(({ seat }) => seat === found.seats[0]));
  line.append(" ", element("button", _("Watch"), { onclick: () => watch(found.record) }));
  byId("compared").append(line);
}

async function watch(record) {
  const opened = await withErrors(() => post("open", { record }));
  if (opened) sit(opened);
}

function placeOf(name, { place, won, points }) {
  const told = [place && _("place {n}", { n: place }), won && _("won"), points !== undefined && _("points: {points}", { points })];
  const how = told.filter(Boolean).join(" · ") || _("not won");
  return element("li", `${name}: ${how}`);
}
