// The table: one moment of a game at a time, played, watched or replayed.

import { _, post, byId, withErrors, showError, element, language, languages, onNarrow, show, theme } from "./dom.js";
import { prepareArranging } from "./arrange.js";
import { drawBoard, keepFocus, listActions, listReasons, pressed, showAllChoices, showPanel } from "./board.js";
import { typed } from "./digits.js";
import { goToNext, showOtherChoices } from "./other-choices.js";
import { showClock } from "./clock.js";
import { showDice } from "./dice.js";
import { drawAgain, editPosition, prepareEditor } from "./editor.js";
import { explainThings, forgetThing, learn, listThings, nameThings } from "./tooltips.js";
import { drawDoor, showMine } from "./door.js";
import { chosenGame, colourPage, drawForm, offerLanguages, prepare } from "./setup-form.js";
import { prepareAnalysis, showAnalysis } from "./analysis.js";
import { prepareArena, showArena, showSameDice } from "./arena.js";
import { animate } from "./animate.js";
import { prepareBranches, showBranches } from "./branches.js";
import { prepareFiles, showSaving } from "./files.js";
import { prepareGuide, showGuide } from "./guide.js";
import { keepHistory, prepareHistory } from "./history.js";
import { showBars, showEnd, showForecast, showPlayers } from "./players.js";
import { lookedAt, offerPreviews } from "./preview.js";
import { prepareRules, readRules } from "./rules.js";
import { sentence, whoIs } from "./sentence.js";
import { stopTelling, tell } from "./step-animation.js";
import { addressed, prepareTogether, showTogether } from "./together.js";
import { prepareZoom, zoomedBy } from "./zoom.js";

let id = null; // the game on the table
let view = null; // the moment of it that is shown
let running = false;
let timer = null;
let wanted = null; // the moment that is to be shown next, while the server is asked for one
let deciding = false; // the server has been asked for a decision
let wish = null; // what somebody wants while it has been: undo, or to decide themselves again
let telling = null; // the moment to which a long step is being told
let drawn = 0; // how often everything was to be drawn anew, in another theme or for another screen
const AGAIN = 100; // milliseconds until a moment is asked for again
let seat = null; // of several people at this screen, the one whose hand may be open

// Showing a moment

function render(shown) {
  const isNext = view && shown.at === view.at + 1;
  view = shown;
  running &&= !isAtTheEnd();
  learn(view.game);
  forgetThing();
  keepFocus(() => {
    drawBoard(byId("board"), view, choose);
    showPanel(byId("board"), view);
    nameThings(byId("board"));
    if (isNext) animate(byId("board"), Number(byId("speed").value));
    listActions(view, choose);
    offerPreviews(view, { id, seat, at: view.at });
  });
  describe();
  const goTo = moment => paused(() => look(moment))();
  keepHistory(id, view, seat, goTo);
  showAnalysis(id, view, goTo);
  showBranches(view);
  showEnd(view);
  showSameDice(id, view);
  readReasons();
  showPlace();
  showPlayers(view);
  showClock(view, { id, seat }, shown => id === shown.id && showSoon(shown));
  showTogether(view);
  byId("say").textContent = sentence(view);
  for (const part of ["say", "events"]) byId(part).classList.toggle("over", Boolean(view.result));
  byId("question").hidden = !view.question;
  byId("events").replaceChildren(...view.events.map(event));
  showBars(view);
  showForecast(view);
  byId("cover").hidden = !view.hand_covered;
  byId("uncover").textContent = _("{who}: show my hand", { who: whoIs(view, view.asked) });
  byId("undo").hidden = !view.live;
  byId("resign").hidden = !view.live || view.finished || !view.together.held.length;
  byId("undo").disabled = !view.can_undo;
  byId("undo").title = view.practice ? "" : _("Possible until a decision reveals something or another player decides");
  showOtherChoices(view, leave);
  showAllChoices(false);
  showDice(id, view, seat);
  showSaving(view);
  showRunning();
  showGuide(id, view);
}

// The position for those who do not see it, and what lies there for those who do.
function describe() {
  if (!view || !byId("described").open) return;
  if (!view.described) return look(view.at); // from now on it is asked for
  byId("sentences").replaceChildren(...view.described.map(line => element("li", line)));
  listThings(byId("things"), byId("board"));
}

async function readReasons() {
  if (!view?.barred || !byId("barred").open) return;
  const [table, moment] = [id, view.at];
  const answer = await post("reasons", { id, seat, at: moment }).catch(() => null); // the next moment asks again
  if (answer && table === id && moment === view.at) listReasons(answer.reasons);
}

function event({ text, rule }) {
  const item = element("li");
  if (!rule) return Object.assign(item, { textContent: text });
  const link = element("a", text, { href: `#${rule}`, title: _("the rule for this") });
  link.onclick = click => { click.preventDefault(); readRules(view.game, rule); };
  item.append(link);
  return item;
}

function showPlace() {
  byId("timeline").max = view.last;
  byId("timeline").value = view.at;
  byId("number").textContent = `${view.at}/${view.last}`;
}

function showRunning() {
  byId("run").textContent = running ? "❚❚" : "▶";
  byId("run").setAttribute("aria-pressed", running);
  byId("table").setAttribute("aria-busy", deciding || telling !== null);
}

// Asking the server: for one decision at a time, and meanwhile for any moment that there is

async function decide(name, data = {}) {
  if (deciding) return;
  const [table, from] = [id, view.at];
  deciding = true;
  clearTimeout(timer);
  showRunning();
  const asked = post(name, { id, seat, ...data });
  const shown = await withErrors(() => asked.catch(error => wish ? null : Promise.reject(error)));
  if (table !== id) return;
  deciding = false;
  if (wish) return interrupt(wish);
  if (!shown || (view.at === from && wanted === null)) return settle(shown);
  view.last = shown.last; // somebody looks elsewhere meanwhile
  if (wanted !== null) wanted = Math.min(wanted, view.last);
  else if (view.at > view.last) return settle(shown); // where they look has been taken back
  showPlace();
  settle(view);
}

async function look(moment) {
  const table = id;
  const isAsking = wanted !== null;
  wanted = Math.max(0, Math.min(view.last, moment));
  if (isAsking) return; // what is under way ends at the moment that is wanted then
  clearTimeout(timer);
  let shown, asked, looks, isTakenBack;
  do {
    [asked, looks] = [wanted, drawn];
    shown = post("show", { id, seat, at: asked });
    const failed = await shown.then(() => false, () => true); // about a moment that is no longer wanted: no complaint
    isTakenBack = failed && deciding; // perhaps by an undo, whose answer is under way
    if (isTakenBack) await new Promise(soon => setTimeout(soon, AGAIN));
    if (table !== id) return;
  } while (asked !== wanted || looks !== drawn || isTakenBack);
  wanted = null;
  settle(await withErrors(() => shown));
}

const isToldInParts = shown =>
  shown.staged && view !== null && shown.at === view.at + 1 && Number(byId("speed").value) > 0;

async function settle(shown) {
  if (shown && isToldInParts(shown)) {
    const table = id;
    telling = shown;
    byId("say").textContent = sentence(shown, true);
    await tell(shown, { id, seat }, Number(byId("speed").value), event);
    if (telling !== shown || table !== id) return;
  }
  telling = null;
  if (shown) render(shown);
  else running = false;
  showRunning();
  schedule();
}

// Whoever decides wants the game to go on.
function choose(action) {
  if (!view.your_turn || deciding) return;
  running = true;
  decide("play", { action, at: view.at });
}

// Ask for something that stops an agent which thinks. Who decides anew says anew who they are.
function interrupt(name) {
  wish = deciding ? name : null;
  if (name === "undo") seat = null;
  if (deciding) post("stop", { id }).catch(() => null); // the request that waits for the agent is answered
  else decide(name);
}

// Leave questions to an agent, or take them back.
function leave(name, data) {
  running = true;
  if (name === "take_over") interrupt(name);
  else decide(name, data);
}

// Running on by itself: through the moments there are, then with the agents' decisions

const isAtTheEnd = () => view.at === view.last && (view.asked === null || !view.live);
const isAgents = () => view.agent_to_move && view.at === view.last;

function schedule() {
  clearTimeout(timer);
  if (running && (view.at < view.last || isAgents())) timer = setTimeout(on, Number(byId("speed").value));
}

function on() {
  const here = wanted ?? view.at;
  if (here < view.last) look(here + 1);
  else if (isAgents()) decide("act", { at: view.at });
}

function run() {
  running = !running;
  showRunning();
  if (running && isAtTheEnd()) look(0);
  else schedule();
}

// Others have done something: go on to it, if their latest decision was on the table.
async function follow({ last, together }) {
  const table = id;
  while (deciding || telling || wanted !== null) await new Promise(soon => setTimeout(soon, AGAIN));
  if (table !== id) return;
  const follows = view.at >= view.last;
  Object.assign(view, { last, together });
  showPlace();
  showTogether(view);
  if (!follows) return;
  running = true;
  if (view.at < last) schedule();
  else look(last); // it was taken back, or somebody came
}

// Somebody has come or left.
function notice(together) {
  Object.assign(view, { together });
  showTogether(view);
  showPlayers(view);
}

function paused(step) {
  return () => {
    running = false;
    clearTimeout(timer);
    showRunning();
    step();
  };
}

const steps = {
  first: paused(() => look(0)),
  back: paused(() => look((wanted ?? view.at) - 1)),
  run,
  on: paused(on),
  last: paused(() => look(view.last)),
  undo: () => view.can_undo && interrupt("undo"),
  next: goToNext,
};

// Sitting down, themes, languages

function sitDown(shown, runs = shown.live) {
  stopTelling();
  [id, view, seat, wanted, deciding, wish, running] = [shown.id, null, null, null, false, null, runs];
  history.replaceState(null, "", `#${id}`);
  document.querySelector('[data-tab="table"]').disabled = false;
  show("table");
  colourPage(shown.game);
  offerLanguages(shown.game);
  settle(shown);
  if (innerWidth < 640 || innerHeight < 512) byId("table").scrollIntoView();
}

// Somebody has resigned, perhaps while an agent thinks, whose answer shows it then.
function showSoon(shown) {
  if (deciding || wanted !== null) return;
  running = true;
  settle(shown);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
  redraw();
  drawForm();
  drawDoor();
}

function speak(name) {
  document.cookie = `language=${name}; path=${new URL(".", location).pathname}; max-age=31536000; SameSite=Strict`;
  location.reload();
}

function redraw() {
  drawn += 1;
  if (view) look(wanted ?? view.at);
  drawAgain();
}

// Wiring

function wire() {
  for (const button of document.querySelectorAll("[data-tab]")) {
    button.onclick = () => {
      showError("");
      if (button.dataset.tab === "editor") return editPosition(null);
      show(button.dataset.tab);
      if (button.dataset.tab === "arena") showArena();
      else colourPage({ table: view?.game, open: chosenGame() }[button.dataset.tab]);
      if (button.dataset.tab === "door") showMine();
      offerLanguages(button.dataset.tab === "table" ? view?.game : null);
    };
  }
  for (const [name, step] of Object.entries(steps)) byId(name).onclick = step;
  byId("timeline").oninput = event => paused(() => look(Number(event.target.value)))();
  byId("speed").onchange = schedule;
  byId("barred").ontoggle = readReasons;
  byId("described").ontoggle = describe;
  byId("dice").ontoggle = () => view && showDice(id, view, seat);
  prepareZoom();
  prepareArranging();
  byId("all-choices").onclick = () => showAllChoices();
  prepareHistory();
  prepareAnalysis();
  prepareBranches({ id: () => id, view: () => view, sit: sitDown });
  prepareFiles(sitDown, () => ({ id, seat, at: view.at }));
  prepareArena(sitDown);
  prepareGuide();
  prepareTogether({ id: () => id, at: () => view.at, game: () => view.game, follow, notice, sit: sitDown, show: showSoon });
  window.onhashchange = () => location.reload(); // another game's link
  explainThings(byId("board"));
  byId("language").append(...languages.map(name =>
    element("option", new Intl.DisplayNames([name], { type: "language" }).of(name), { value: name })));
  byId("language").value = language;
  byId("language").onchange = () => speak(byId("language").value);
  byId("uncover").onclick = () => { seat = view.asked; look(view.at); };
  byId("edit").onclick = () => editPosition(view.position, view.game);
  byId("question").querySelector("a").onclick = click => {
    click.preventDefault();
    readRules(view.game, view.question);
  };
  byId("read-rules").onclick = () => readRules(view?.game ?? chosenGame(), null);
  byId("from-start").onclick = () => { running = true; look(0); };
  byId("choose").querySelector("button[value]").onclick = () => byId("choose").close();
  byId("theme").onclick = () => setTheme(theme() === "light" ? "dark" : "light");
  document.onkeydown = press;
  onNarrow(redraw);
}

function press(event) {
  const isTaken = event.target.closest("input, select, textarea, dialog[open]");
  if (isTaken || byId("table").hidden || !view || event.ctrlKey || event.metaKey || event.altKey) return;
  if ([" ", "Enter"].includes(event.key) && event.target.closest("button, summary, a, [role=button]")) return;
  const meant = view.your_turn ? pressed(byId("board"), event.key) : null;
  if (meant !== null) {
    event.preventDefault();
    return choose(meant);
  }
  if (zoomedBy(event)) return event.preventDefault();
  if (event.key === "Enter") return lookedAt() === null ? null : choose(lookedAt());
  const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", u: "undo", n: "next", " ": "run" }[event.key];
  if (name) {
    event.preventDefault();
    steps[name]();
  } else if (view.your_turn && typed(event)) event.preventDefault();
}

const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? preferred;
wire();
prepareEditor();
prepareRules();
const options = "#new"; // the address of the form with all options
show(location.hash === options ? "start" : "door");
await withErrors(() => prepare(sitDown));
if (!byId("door").hidden) colourPage();
if (view) { // a record that was opened meanwhile knows the agents and its game's colour from now
  redraw();
  colourPage(view.game);
}
for (const button of document.querySelectorAll('[data-tab="editor"], [data-tab="arena"], #read-rules')) button.disabled = false;
if (!view && location.hash.length > 1 && location.hash !== options) { // a game that was opened meanwhile has a link, too
  const { id: game, key, at } = addressed();
  id = game;
  const shown = await withErrors(async () => {
    const latest = await post(key ? "join" : "show", { id, key });
    return at === null ? latest : post("show", { id, at });
  });
  if (shown) sitDown({ ...shown, id }, shown.live && at === null && shown.names.includes("person"));
  else history.replaceState(null, "", "#");
}
