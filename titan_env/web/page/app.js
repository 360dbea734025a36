// The table: one moment of a game at a time, played, watched or replayed.

import { ask, at, attempt, complain, element, save, show, theme } from "./base.js";
import { drawBoard, listActions } from "./board.js";
import { editPosition, prepareEditor } from "./editor.js";
import { beginFrom, chosenGame, prepare } from "./form.js";

let id = null; // the game on the table
let view = null; // the moment of it that is shown
let running = true;
let busy = false;
let timer = null;

// Showing a moment

function render(shown) {
  view = shown;
  drawBoard(at("board"), view, choose);
  listActions(view, choose, complain);
  at("where").max = view.last;
  at("where").value = view.at;
  at("number").textContent = `${view.at}/${view.last}`;
  at("players").replaceChildren(...view.names.map((name, seat) =>
    element("li", `${seat + 1} ${name}`, { className: seat === view.asked ? "asked" : "" })));
  const decided = view.seat === null ? view.say : `Player ${view.seat + 1}: ${view.say}`;
  const asked = view.mine ? `Player ${view.asked + 1}, your turn.` : "";
  at("say").textContent = [decided, view.result ?? asked].filter(Boolean).join(". ");
  at("events").replaceChildren(...view.events.map(({ text, rule }) => {
    const item = element("li");
    if (!rule) return Object.assign(item, { textContent: text });
    const link = element("a", text, { href: `#${rule}`, title: "the rule behind it" });
    link.onclick = event => { event.preventDefault(); readRules(rule); };
    item.append(link);
    return item;
  }));
  showBars();
  at("undo").hidden = !view.practice;
  at("save").disabled = at("film").disabled = !(view.open && view.live);
  at("edit").disabled = !view.open;
  at("run").textContent = running ? "❚❚" : "▶";
  at("run").setAttribute("aria-pressed", running);
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

// Asking the server, one question at a time

async function send(name, data = {}) {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  const shown = await attempt(() => ask(name, { id, ...data }));
  busy = false;
  if (shown) render(shown);
  else running = false;
  schedule();
}

const choose = action => view.mine && send("play", { action, at: view.at });
const go = moment => send("show", { at: Math.max(0, Math.min(view.last, moment)) });

// Running on by itself: through the moments there are, then with the agents' decisions

const goesOn = () => view.at < view.last || (view.live && view.asked !== null && view.names[view.asked] !== "person");

function schedule() {
  clearTimeout(timer);
  if (view && running && goesOn()) timer = setTimeout(on, Number(at("speed").value));
}

function on() {
  if (view.at < view.last) return go(view.at + 1);
  if (goesOn()) return send("act", { at: view.at });
}

function run() {
  running = !running;
  if (running && !goesOn() && !view.live) go(0);
  render(view);
  schedule();
}

function pauseAt(moment) {
  running = false;
  return moment === null ? on() : go(moment);
}

const steps = {
  first: () => pauseAt(0),
  back: () => pauseAt(view.at - 1),
  run,
  on: () => pauseAt(null),
  last: () => pauseAt(view.last),
  undo: () => view.practice && send("undo"),
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

function sitDown(shown) {
  id = shown.id;
  running = shown.live;
  location.hash = id;
  document.querySelector('[data-tab="table"]').disabled = false;
  show("table");
  render(shown);
  schedule();
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
  if (view) send("show", { at: view.at });
}

// Wiring

function wire() {
  for (const button of document.querySelectorAll("[data-tab]")) {
    button.onclick = async () => {
      complain("");
      if (button.dataset.tab === "start") await beginFrom(null);
      if (button.dataset.tab === "editor" && !at("text").value && view?.open) return editPosition(view.position);
      show(button.dataset.tab);
    };
  }
  for (const [name, step] of Object.entries(steps)) at(name).onclick = step;
  at("where").oninput = event => pauseAt(Number(event.target.value));
  at("speed").onchange = schedule;
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
}

function press(event) {
  const typing = event.target.closest("input, select, textarea, dialog[open]");
  if (typing || at("table").hidden || !view || event.ctrlKey || event.metaKey || event.altKey) return;
  const name = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", u: "undo", " ": "run" }[event.key];
  if (event.key === " " && event.target.closest("button")) return;
  if (name) {
    event.preventDefault();
    steps[name]();
  } else if (view.mine && /^[1-9]$/.test(event.key)) {
    const legal = view.actions.filter(action => action.say);
    at("actions").querySelectorAll("button:not(.off)")[Number(event.key) - 1]?.click();
    complain(legal.length < Number(event.key) ? `There are ${legal.length} choices.` : "");
  }
}

const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? preferred;
wire();
prepareEditor();
await attempt(() => prepare(sitDown));
show("start");
if (location.hash.length > 1) {
  id = location.hash.slice(1);
  const shown = await attempt(() => ask("show", { id }));
  if (shown) sitDown({ ...shown, id });
  else location.hash = "";
}
