// What a thing is, where it is looked at: the pointer over it, the keyboard on it or a long touch shows it.

import { _, post, byId, element } from "./dom.js";
import { cutOut } from "./arrange.js";
import { thingsAt } from "./board.js";
import { readRules } from "./rules.js";

const PATIENCE = 350; // milliseconds that the pointer rests on a thing
const TOUCH = 500; // milliseconds of a long touch
const GRACE = 250; // milliseconds in which the pointer may come to the explanation
const MOST_LINES = 8; // of what is said of a thing beside what explains it
const MARGIN = 8; // pixels between a thing and its explanation, and around its picture

let game = null;
let notes = {};
let timer = null;
let shown = null; // the thing that is explained
let touched = false; // a long touch has shown it: what follows is no click

// The things of this game are known from now on.
export async function learn(name) {
  if (name === game) return;
  game = name;
  notes = {};
  try {
    notes = await post("glossary", { game: name });
  } catch {
    if (game === name) game = null; // the next moment asks again
  }
}

// What is said of a thing: its title, then name and sentence of everything that explains it.
export const notesOf = thing => (thing.dataset.notes ?? "").split(" ").map(name => notes[name]).filter(Boolean);

// Every thing of a picture gets a name that screen readers find; browsers' own hover texts go.
export function nameThings(figure) {
  const svg = figure.firstElementChild;
  svg?.setAttribute("role", "group");
  for (const title of figure.querySelectorAll("g > title")) {
    const thing = title.parentElement;
    thing.dataset.said = title.textContent;
    if (!thing.hasAttribute("aria-label")) thing.setAttribute("aria-label", title.textContent.replaceAll("\n", ". "));
    if (!thing.hasAttribute("role")) thing.setAttribute("role", "img");
    title.remove();
  }
  svg?.querySelector(":scope > title")?.remove();
}

function explain(thing, near = thing) {
  const found = notesOf(thing);
  if (!found.length && !thing.dataset.said) return;
  shown = thing;
  const lines = (thing.dataset.said ?? "").split("\n").filter(Boolean);
  byId("note").replaceChildren(
    picture(thing),
    ...lines.slice(0, 1).filter(line => !found.some(({ name }) => name === line)).map(line => element("b", line)),
    ...lines.slice(1, MOST_LINES).map(line => element("p", line)),
    ...found.map(sentence),
  );
  showThings(thing);
  byId("note").hidden = false;
  put(near.getBoundingClientRect());
}

// What a thing shows stands out while it is explained.
function showThings(thing) {
  for (const key of (thing.dataset.shows ?? "").split(" ").filter(Boolean)) {
    thing.ownerSVGElement.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add("shown");
  }
}

function sentence({ name, text, rule }) {
  const line = element("p", "");
  line.append(element("b", name), ` ${text} `);
  if (rule) {
    const link = element("a", _("Rule"), { href: `#${rule}` });
    link.onclick = click => { click.preventDefault(); close(); readRules(game, rule); };
    line.append(link);
  }
  return line;
}

// The part of the picture in which the thing lies.
function picture(thing) {
  const { x, y, width, height } = thing.getBBox();
  const around = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  return cutOut(thing.ownerSVGElement, around);
}

function put({ left, top, bottom, width }) {
  const box = byId("note").getBoundingClientRect();
  const below = bottom + MARGIN + box.height < innerHeight;
  const across = Math.min(Math.max(MARGIN, left + width / 2 - box.width / 2), innerWidth - box.width - MARGIN);
  byId("note").style.left = `${across}px`;
  byId("note").style.top = `${below ? bottom + MARGIN : Math.max(MARGIN, top - MARGIN - box.height)}px`;
}

function close() {
  clearTimeout(timer);
  shown = null;
  byId("note").hidden = true;
  for (const thing of document.querySelectorAll(".shown")) thing.classList.remove("shown");
}

const soon = (work, patience) => {
  clearTimeout(timer);
  timer = setTimeout(work, patience);
};

// Buttons for everything in a picture that has something to be said: the keyboard's way to explanations.
export function listThings(list, figure) {
  const known = new Set();
  const things = [...figure.querySelectorAll("[data-notes]")].filter(thing => {
    const name = thing.getAttribute("aria-label") ?? thing.textContent;
    const isNew = !known.has(name) && !thing.closest("#preview");
    known.add(name);
    return isNew;
  });
  list.replaceChildren(...things.map(thing => {
    const button = element("button", (thing.dataset.said ?? thing.textContent).split("\n")[0], { className: "thing" });
    button.title = notesOf(thing).map(({ name, text }) => `${name}: ${text}`).join("\n");
    button.setAttribute("aria-description", button.title);
    button.onclick = () => explain(thing, button);
    return button;
  }));
}

// Explain the things of pictures in this figure from now on.
export function explainThings(figure) {
  const under = event => thingsAt(event, "[data-notes]").find(thing => figure.contains(thing) && !thing.closest("#preview"));
  figure.addEventListener("pointermove", event => {
    if (event.pointerType !== "mouse") return;
    const thing = under(event);
    if (thing && thing === shown) return clearTimeout(timer);
    if (shown) soon(close, GRACE);
    if (thing) soon(() => { close(); explain(thing); }, PATIENCE);
  });
  figure.addEventListener("pointerleave", event => event.pointerType === "mouse" && soon(close, GRACE));
  figure.addEventListener("focusin", event => {
    const thing = event.target.closest("[data-notes]");
    if (thing && event.target.matches(":focus-visible")) explain(thing);
  });
  figure.addEventListener("focusout", event => !byId("note").contains(event.relatedTarget) && close());
  figure.addEventListener("pointerdown", event => {
    touched = false;
    if (!event.isPrimary) return clearTimeout(timer); // two fingers change the size
    const thing = under(event);
    if (event.pointerType !== "mouse" && thing) soon(() => { touched = true; explain(thing); }, TOUCH);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    figure.addEventListener(end, event => event.pointerType !== "mouse" && clearTimeout(timer));
  }
  figure.addEventListener("contextmenu", event => touched && event.preventDefault());
  figure.addEventListener("click", event => {
    if (!touched) return;
    event.stopPropagation();
    touched = false;
  }, { capture: true });
  byId("note").addEventListener("pointerenter", () => clearTimeout(timer));
  byId("note").addEventListener("pointerleave", () => soon(close, GRACE));
  document.addEventListener("keydown", event => event.key === "Escape" && close());
  document.addEventListener("pointerdown", event => {
    if (shown && !event.target.closest("#note") && !figure.contains(event.target)) close();
  });
}

// The picture is drawn anew: what was explained is gone.
export { close as forgetThing };
