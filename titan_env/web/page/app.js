// The table: one moment of a game at a time, played, watched or replayed.

import { ask, at, attempt, complain, element, onNarrow, save, show, theme } from "./base.js";
import { drawBoard, keepFocus, listActions } from "./board.js";
import { drawAgain, editPosition, prepareEditor } from "./editor.js";
import { beginFrom, chosenGame, prepare } from "./form.js";

let id = null; // the game on the table
let view = null; // the moment of it that is shown
let running = false;
let timer = null;
let wanted = null; // the moment that is to be shown next, while the server is asked for one
let deciding = false; // the server has been asked for a decision
let takesBack = false; // somebody wants to undo, while it has been
let seat = null; // of several people at this screen, the one whose hand may be open

// Showing a moment

function render(shown) {
  view = shown;
  running &&= !isAtTheEnd();
  keepFocus(() => {
    drawBoard(at("board"), view, choose);
    listActions(view, choose);
  });
  showPlace();
  at("players").replaceChildren(...view.names.map((name, player) =>
    element("li", `${player + 1} ${name}`, { className: player === view.asked ? "asked" : "" })));
  at("say").textContent = sentence();
  at("events").replaceChildren(...view.events.map(event));
  showBars();
  at("cover").hidden = !view.covered;
  at("uncover").textContent = `Player ${view.asked + 1}: show my hand`;
  at("undo").hidden = !view.practice;
  at("undo").disabled = !view.can_undo;
  for (const name of ["save", "film", "edit"]) {
    at(name).disabled = !view.open;
    at(name).title = view.open ? "" : "It would show every hand: when the game is over";
  }
  if (view.result) {
    at("edit").disabled = true;
    at("edit").title = "The game is over here: step back to an earlier moment";
  }
  showRunning();
}

function sentence() {
  const decided = view.seat === null ? view.say : `Player ${view.seat + 1}: ${view.say}`;
  const asked = view.mine || view.covered ? `Player ${view.asked + 1}, your turn.` : "";
  return [decided, view.result ?? asked].filter(Boolean).join(". ");
}

function event({ text, rule }) {
  const item = element("li");
  if (!rule) return Object.assign(item, { textContent: text });
  const link = element("a", text, { href: `#${rule}`, title: "the rule behind it" });
  link.onclick = click => { click.preventDefault(); readRules(rule); };
  item.append(link);
  return item;
}

function showPlace() {
  at("where").max = view.last;
  at("where").value = view.at;
  at("number").textContent = `${view.at}/${view.last}`;
}

function showRunning() {
  at("run").textContent = running ? "❚❚" : "▶";
  at("run").setAttribute("aria-pressed", running);
  at("table").setAttribute("aria-busy", deciding);
}

function showBars() {
  const bars = Object.entries(view.chances ?? {}).sort((a, b) => b[1] - a[1]);
  if (view.value !== undefined) bars.unshift(["value, -1 to 1", view.value, (1 + view.value) / 2]);
  at("bars").replaceChildren(...bars.map(([name, share, wide = share]) => {
    const row = element("div", "", { className: "bar", title: `${name}: ${share.toFixed(3)}` });
    const bar = element("i");
    bar.style.width = `${100 * Math.min(1, Math.max(0, wide))}%`;
    const room = element("span");
    room.append(bar);
    row.append(element("b", name), room, element("span", share.toFixed(2)));
    return row;
  }));
}

// Asking the server: for one decision at a time, and meanwhile for any moment that there is

async function decide(name, data = {}) {
  if (deciding) return;
  const [table, from] = [id, view.at];
  deciding = true;
  clearTimeout(timer);
  showRunning();
  const shown = await attempt(() => ask(name, { id, seat, ...data }));
  if (table !== id) return;
  deciding = false;
  if (takesBack) return undo();
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
  let shown, asked;
  do {
    asked = wanted;
    shown = ask("show", { id, seat, at: asked });
    await shown.catch(() => null); // a complaint about a moment that is no longer wanted is none
    if (table !== id) return;
  } while (asked !== wanted);
  wanted = null;
  settle(await attempt(() => shown));
}

function settle(shown) {
  if (shown) render(shown);
  else running = false;
  showRunning();
  schedule();
}

// Whoever decides wants the game to go on.
function choose(action) {
  if (!view.mine || deciding) return;
  running = true;
  decide("play", { action, at: view.at });
}

// Who decides anew says anew who they are.
function undo() {
  takesBack = deciding;
  seat = null;
  if (!deciding) decide("undo");
}

// Running on by itself: through the moments there are, then with the agents' decisions

const isAtTheEnd = () => view.at === view.last && (view.asked === null || !view.live);
const isAgents = () => view.live && view.asked !== null && view.names[view.asked] !== "person";

function schedule() {
  clearTimeout(timer);
  if (running && (view.at < view.last || isAgents())) timer = setTimeout(on, Number(at("speed").value));
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
  undo: () => view.can_undo && undo(),
};

// Rules, files, themes

async function readRules(anchor) {
  const rules = at("rules");
  const page = await attempt(() => ask("rules", { game: view?.game ?? chosenGame() }));
  if (!page) return;
  rules.querySelector("article").innerHTML = page.html;
  rules.showModal();
  const heading = anchor && document.getElementById(anchor);
  if (heading) {
    heading.classList.add("found");
    heading.scrollIntoView();
  } else rules.scrollTop = 0;
}

function sitDown(shown, runs = shown.live) {
  [id, seat, wanted, deciding, takesBack, running] = [shown.id, null, null, false, false, runs];
  history.replaceState(null, "", `#${id}`);
  document.querySelector('[data-tab="table"]').disabled = false;
  show("table");
  settle(shown);
}

async function openFile(file) {
  if (!file) return;
  const shown = await attempt(async () => ask("open", { record: await file.text() }));
  if (shown) sitDown(shown);
}

async function download(film) {
  const answer = await attempt(() => ask("record", { id, film }));
  if (answer) save(film ? "game.html" : "game.jsonl", answer.text, film ? "text/html" : "application/jsonl");
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
  redraw();
}

function redraw() {
  if (view) look(wanted ?? view.at);
  drawAgain();
}

// Wiring

function wire() {
  for (const button of document.querySelectorAll("[data-tab]")) {
    button.onclick = () => {
      complain("");
      if (button.dataset.tab === "editor") return editPosition(null);
      show(button.dataset.tab);
    };
  }
  for (const [name, step] of Object.entries(steps)) at(name).onclick = step;
  at("where").oninput = event => paused(() => look(Number(event.target.value)))();
  at("speed").onchange = schedule;
  at("uncover").onclick = () => { seat = view.asked; look(view.at); };
  at("save").onclick = () => download(false);
  at("film").onclick = () => download(true);
  at("edit").onclick = () => editPosition(view.position);
  at("read-rules").onclick = () => readRules(null);
  at("close-rules").onclick = () => at("rules").close();
  at("choose").querySelector("button[value]").onclick = () => at("choose").close();
  at("theme").onclick = () => setTheme(theme() === "light" ? "dark" : "light");
  at("file").onchange = event => openFile(event.target.files[0]);
  at("drop").ondragover = event => { event.preventDefault(); at("drop").classList.add("over"); };
  at("drop").ondragleave = () => at("drop").classList.remove("over");
  at("drop").ondrop = event => {
    event.preventDefault();
    at("drop").classList.remove("over");
    openFile(event.dataTransfer.files[0]);
  };
  document.onkeydown = press;
  onNarrow(redraw);
}

function press(event) {
  const isTaken = event.target.closest("input, select, textarea, dialog[open]");
  if (isTaken || at("table").hidden || !view || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && event.target.closest("button, summary, a, [role=button]")) return;
  const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", u: "undo", " ": "run" }[event.key];
  if (name) {
    event.preventDefault();
    steps[name]();
  } else if (view.mine && /^[0-9]$/.test(event.key)) {
    const buttons = at("actions").querySelectorAll("button");
    const chosen = buttons[(Number(event.key) + 9) % 10];
    if (chosen) chosen.click();
    else complain(`There are ${buttons.length} choices.`);
  }
}

const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? preferred;
wire();
prepareEditor();
show("start");
await attempt(() => prepare(sitDown));
for (const button of document.querySelectorAll('[data-tab="editor"], #read-rules')) button.disabled = false;
if (location.hash.length > 1) {
  id = location.hash.slice(1);
  const shown = await attempt(() => ask("show", { id }));
  if (shown) sitDown({ ...shown, id }, shown.live && shown.names.includes("person"));
  else history.replaceState(null, "", "#");
}
