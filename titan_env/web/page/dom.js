// What every part of the page needs: elements, questions to the server, complaints.

import { language, languages, words } from "./words.js";

export { language, languages };

// A text in the visitor's language, its gaps filled in: _("Player {n}", { n: 2 }).
export function _(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);
}

export const byId = id => document.getElementById(id);

export const theme = () => document.documentElement.dataset.theme;

const phone = matchMedia("(max-width: 40rem)");

export const isNarrow = () => phone.matches;

// Called when the screen becomes narrow, or wide again: pictures are drawn otherwise then.
export const onNarrow = redraw => phone.addEventListener("change", redraw);

let held = null; // the picture that came last: of which game, its number, its lines

// The lines of a picture that is told by what has changed since another.
export const linesOf = (parts, before) =>
  parts.flatMap(part => typeof part === "string" ? [part] : before.slice(...part));

// Of a picture comes what has changed since the one that is held.
function whole(view, before, game) {
  const lines = typeof view.svg === "string" ? view.svg.split("\n") : linesOf(view.svg, before.lines);
  held = { game, number: view.picture, lines };
  return { ...view, svg: lines.join("\n") };
}

export async function post(name, data = {}) {
  const before = held?.game === data.id ? held : null;
  const answer = await fetch(`api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      has: before?.number, theme: theme(), narrow: phone.matches, in_words: byId("described").open, ...data }),
  });
  const said = await answer.json().catch(() => ({ error: _("The server answered {status}; try again", { status: answer.status }) }));
  if (said.error) throw new Error(said.error);
  return said.picture ? whole(said, before, said.id ?? data.id) : said;
}

export function showError(error) {
  byId("complaint").textContent = error ? error.message ?? error : "";
}

// What was wrong stays to be read until the person does something else.
for (const deed of ["click", "keydown", "input", "change", "drop"]) {
  document.addEventListener(deed, () => showError(""), { capture: true });
}

// Do something that may fail, and say so if it does.
export async function withErrors(work) {
  try {
    return await work();
  } catch (error) {
    showError(error);
    return null;
  }
}

export function element(kind, text, more = {}) {
  const made = Object.assign(document.createElement(kind), more);
  if (text !== undefined) made.textContent = text;
  return made;
}

export function show(tab) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== tab;
  for (const button of document.querySelectorAll("[data-tab]")) {
    if (button.dataset.tab === (tab === "start" ? "door" : tab)) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
}

export function save(name, content, type) {
  const link = element("a", "", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
