// A guided first game: one sentence after the other, beside the thing on the table that it is about.

import { _, post, byId, withErrors } from "./dom.js";
import { putBeside } from "./beside.js";
import { begin, chosenGame } from "./setup-form.js";

// The game, the number of its step, when and with which question that came last, and the questions that were answered.
let guide = JSON.parse(sessionStorage.getItem("guide"));
let steps = null;
let latest = null; // the moment on the table

export function prepareGuide() {
  byId("guided").onclick = () => beginGuide(chosenGame());
  byId("guide-next").onclick = next;
  byId("guide-close").onclick = close;
  document.addEventListener("keydown", event => {
    const isFree = byId("note").hidden && !document.querySelector("dialog[open]");
    if (event.key === "Escape" && isFree && !byId("guide").hidden) close();
  }, { capture: true });
  document.addEventListener("scroll", put, { capture: true, passive: true });
  for (const part of [document.body, byId("board")]) new ResizeObserver(put).observe(part);
  byId("zoom").addEventListener("click", () => requestAnimationFrame(put));
}

export async function beginGuide(game) {
  const asked = await withErrors(() => post("guide", { game }));
  const view = asked && await begin(asked.begin);
  if (!view) return;
  steps = asked.steps;
  goTo({ id: view.id, game: view.game, number: 0, since: null, answered: [] });
}

// Show the step of this moment, if it is one of a guided game; a step whose question was answered is over.
export async function showGuide(id, view) {
  latest = { id, view };
  byId("guide").hidden = byId("guide-ring").hidden = true;
  if (guide?.id !== id || view.result) return;
  steps ??= (await withErrors(() => post("guide", { game: guide.game })))?.steps;
  if (!steps || latest.view !== view || !guide) return;
  if (guide.since !== null && view.at > guide.since) guide.answered.push(guide.asked);
  const { text, ask } = steps[guide.number];
  if (guide.answered.includes(ask)) return next();
  if (!view.your_turn || (ask && ask !== view.ask)) return keep({ ...guide, since: null });
  const isNew = byId("guide-said").textContent !== text;
  keep({ ...guide, since: view.at, asked: view.ask });
  byId("guide").hidden = false;
  byId("guide-step").textContent = text;
  byId("guide-number").textContent = _("{n} of {all}", { n: guide.number + 1, all: steps.length });
  byId("guide-close").hidden = guide.number + 1 === steps.length;
  byId("guide-next").textContent = byId("guide-close").hidden ? _("Play on") : _("Next");
  if (isNew) {
    byId("guide-said").textContent = text;
    for (const thing of things()) thing.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (document.activeElement.matches("body, [hidden] *")) byId("guide-next").focus({ preventScroll: true });
  }
  put();
}

function keep(now) {
  guide = now;
  sessionStorage.setItem("guide", JSON.stringify(guide));
}

function goTo(now) {
  keep(now);
  showGuide(latest.id, latest.view);
}

function next() {
  if (guide.number + 1 >= steps.length) return close();
  goTo({ ...guide, number: guide.number + 1, since: null });
}

// The keyboard goes on where something can be chosen.
function close() {
  const isInside = byId("guide").contains(document.activeElement);
  byId("guide-said").textContent = "";
  goTo(null);
  if (isInside) (byId("actions").querySelector("button") ?? byId("board")).focus();
}

// What the step points at: the list of choices, the thing with its key, or all whose keys begin as it does before its *.
function things() {
  const { at } = steps[guide.number];
  if (at === "choices") return [byId("actions")];
  const [key, how] = at.endsWith("*") ? [at.slice(0, -1), "^="] : [at, "="];
  return [...byId("board").querySelectorAll(`:scope > svg [data-key${how}"${CSS.escape(key)}"]`)];
}

function put() {
  const about = byId("guide").hidden ? [] : things();
  byId("guide-ring").hidden = !about.length;
  if (about.length) putBeside(byId("guide"), byId("guide-ring"), about);
}
