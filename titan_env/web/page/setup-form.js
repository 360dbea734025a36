// The form in which a game is begun: ready presets, boards and pieces to choose from, all options, who sits where.

import { prepareDoor } from "./door.js";
import { _, post, byId, withErrors, element, show } from "./dom.js";

const OTHER = "other …";

let catalogue = null;
let offered = null; // presets and questions of the game that is chosen
let position = null; // the text of the position that the game begins with, and how many play

const game = () => catalogue?.games.find(known => known.name === byId("game").value);

// None before the games are known.
export const chosenGame = () => game()?.name;

// What was chosen, by name; what is left as it usually is goes without saying.
export function options() {
  const chosen = [...byId("options").querySelectorAll("label")].map(label => [label.dataset.option, valueOf(label)]);
  return Object.fromEntries(chosen.filter(([, value]) => value));
}

function valueOf(label) {
  const [choice, typed] = [label.querySelector("select"), label.querySelector("textarea")];
  if (!choice || choice.value === OTHER) return typed.value.trim();
  return choice.selectedIndex ? choice.value : "";
}

// Choose a value of an option, one of the usual ones or any other; "": what is usual.
function choose(option, value) {
  const label = byId("options").querySelector(`[data-option="${option}"]`);
  const [choice, typed] = [label.querySelector("select"), label.querySelector("textarea")];
  const known = [...choice?.options ?? []].some(found => found.value === value);
  if (choice) choice.value = known ? value : value ? OTHER : choice.options[0].value;
  typed.value = known ? "" : value;
  typed.hidden = Boolean(choice) && choice.value !== OTHER;
}

let forms = 0; // how many have been asked for
let asked = 0; // how often it has been asked who plays

async function showOptions() {
  const number = ++forms;
  colourPage(chosenGame());
  asked += 1; // who played the game before is no matter any more
  byId("go").disabled = true; // until it is known who plays
  for (const part of ["options", "presets", "pictured"]) byId(part).replaceChildren(); // who fills them in would lose it
  const found = await withErrors(() => post("form", { game: chosenGame() }));
  if (!found || number !== forms) return; // an answer that comes late is to an old question
  offered = found;
  byId("options").replaceChildren(...offered.questions.map(typedOrChosen));
  byId("presets").replaceChildren(...offered.presets.map(preset));
  byId("pictured").replaceChildren(...offered.questions.flatMap(question => [pictures(question), pieces(question)]
    .filter(Boolean)));
}

function preset({ title, about, options: given }) {
  const button = element("button", "", { type: "button", className: "preset" });
  button.append(element("b", title), element("small", about));
  button.given = given;
  button.onclick = () => {
    for (const { name } of offered.questions) choose(name, given[name] ?? "");
    changed();
  };
  return button;
}

function typedOrChosen({ name, title, about, choices }) {
  const label = element("label", title);
  label.dataset.option = name;
  const typed = element("textarea", "", { name, rows: 1, autocomplete: "off", spellcheck: false });
  typed.oninput = () => { typed.rows = Math.min(14, typed.value.split("\n").length); };
  typed.onchange = changed;
  if (choices.length) label.append(choice(name, choices, typed));
  label.append(typed, element("small", about));
  return label;
}

// What is usually chosen, the first one first, and a field for everything else.
function choice(name, choices, typed) {
  const select = element("select", "", { name });
  select.append(...choices.map(({ value, title }) => element("option", title, { value })));
  if (!choices.some(({ value }) => value === "true")) select.append(element("option", _("other …"), { value: OTHER }));
  typed.hidden = true;
  select.onchange = () => {
    typed.hidden = select.value !== OTHER;
    if (!typed.hidden) typed.focus();
    changed();
  };
  return select;
}

// Things to choose from by their pictures.
function gallery(title, about, buttons) {
  const group = element("div", "", { role: "group", className: "gallery" });
  group.setAttribute("aria-label", title);
  group.append(element("b", title), element("small", about), ...buttons);
  return group;
}

function card({ title, about, svg }) {
  const button = element("button", "", { type: "button", className: "card", title: about });
  const picture = element("span", undefined, { innerHTML: svg ?? "" });
  picture.setAttribute("aria-hidden", "true");
  button.append(picture, element("span", title));
  return button;
}

function pictures({ name, title, about, choices }) {
  if (!choices.some(({ svg }) => svg)) return null;
  return gallery(title, about, choices.map((found, place) => {
    const button = card(found);
    button.dataset.picks = name;
    button.value = found.value;
    button.onclick = () => { choose(name, place ? found.value : ""); changed(); };
    return button;
  }));
}

// Pieces in the order in which they are clicked; too few of them: what is usual.
function pieces({ name, title, about, pieces: all, fewest, most, instead }) {
  if (!all.length) return null;
  const group = gallery(title, about, all.map(found => {
    const button = card(found);
    button.dataset.piece = name;
    button.value = found.value;
    button.onclick = () => {
      const chosen = group.chosen.includes(found.value)
        ? group.chosen.filter(value => value !== found.value) : [...group.chosen, found.value].slice(0, most);
      for (const other of instead) choose(other, "");
      choose(name, chosen.length >= fewest ? JSON.stringify(chosen) : "");
      group.waiting = chosen.length < fewest ? chosen : [];
      changed();
    };
    return button;
  }));
  Object.assign(group, { chosen: [], waiting: [], ordered: name });
  return group;
}

// Something has been chosen: the pictures show it, and who sits where follows from it.
function changed() {
  const now = options();
  for (const button of byId("presets").children) {
    const names = Object.keys({ ...now, ...button.given });
    button.setAttribute("aria-pressed", names.every(name => now[name] === button.given[name]));
  }
  for (const button of byId("pictured").querySelectorAll("[data-picks]")) {
    const label = byId("options").querySelector(`[data-option="${button.dataset.picks}"]`);
    button.setAttribute("aria-pressed", label.querySelector("select").value === button.value);
  }
  for (const group of byId("pictured").children) {
    if (group.ordered) showOrder(group, now[group.ordered]);
  }
  return showSeats();
}

function showOrder(group, typed) {
  const listed = /^\[/.test(typed ?? "") ? attemptToRead(typed) : [];
  group.chosen = listed.length ? listed : group.waiting;
  for (const button of group.querySelectorAll("button")) {
    const place = group.chosen.indexOf(button.value);
    button.setAttribute("aria-pressed", place >= 0);
    button.dataset.place = place >= 0 ? place + 1 : "";
  }
}

function attemptToRead(typed) {
  try {
    return JSON.parse(typed);
  } catch {
    return [];
  }
}

async function showSeats() {
  const number = ++asked;
  byId("go").disabled = true; // who begins now would do so with the seats of another choice
  const found = position ?? await withErrors(() => post("seats", { game: chosenGame(), options: options() }));
  if (number !== asked) return; // late, as with a form
  byId("go").disabled = false;
  if (found === null) return;
  const before = names();
  byId("seats").replaceChildren(...Array.from({ length: found.seats }, (unused, seat) => {
    const label = element("label", _("Player {n}", { n: seat + 1 }));
    const choice = element("select");
    choice.append(...game().agents.map(name => element("option", nameOf(name), { value: name })));
    const kept = game().agents.includes(before[seat]) ? before[seat] : null;
    choice.value = kept ?? game().agents[seat ? 1 : 0]; // a person first, the usual agent elsewhere
    const about = element("small", game().about[choice.value]);
    choice.onchange = () => { about.textContent = game().about[choice.value]; };
    label.append(choice, about);
    return label;
  }));
}

export const gamesOf = () => catalogue.games;

// Let the page have the colour of a game.
export function colourPage(name) {
  const colour = catalogue?.games.find(known => known.name === name)?.color;
  for (const [at, theme] of ["light", "dark"].entries()) {
    if (colour) document.documentElement.style.setProperty(`--game-${theme}`, colour[at]);
    else document.documentElement.style.removeProperty(`--game-${theme}`);
  }
}

// The agents that play a game, as far as the page has been told of them.
export const agentsOf = name => catalogue?.games.find(known => known.name === name)?.agents.slice(1) ?? [];

// A player as people call it; agents have names.
export const nameOf = name => name === "person" ? _("person") : name;

const names = () => [...byId("seats").querySelectorAll("select")].map(choice => choice.value);

// Let the next game begin with a position (null: with a setup again).
async function beginFrom(text, seats) {
  position = text === null ? null : { text, seats };
  byId("setup").hidden = position !== null;
  byId("from").hidden = position === null;
  byId("by-hand").hidden = !game().editable;
  byId("by-guide").hidden = !game().guided;
  await (position ? showSeats() : changed());
}

// Let the next game be this one.
export async function chooseGame(name) {
  byId("game").value = name;
  offerLanguages();
  await showOptions();
  await beginFrom(null);
}

// Let the next game be this one, from a position on.
export async function playFrom(name, text, seats) {
  if (chosenGame() !== name) {
    byId("game").value = name;
    await showOptions();
  }
  await beginFrom(text, seats);
  show("start");
}

let sit = null; // what to do with a game that has begun

export async function begin(asked) {
  const view = await withErrors(() => post("begin", asked));
  if (view) sit(view);
  return view;
}

// The languages that a game speaks can be chosen; in others it would be told in English.
export function offerLanguages(name = null) {
  if (!catalogue) return;
  const spoken = catalogue.games.find(known => known.name === (name ?? byId("game").value))?.languages ?? ["en"];
  for (const option of byId("language").options) option.disabled = !spoken.includes(option.value) && !option.selected;
}

// Of each game whether it can be begun at once.
export function showReady(ready) {
  for (const { name, title } of catalogue.games) {
    const said = ready.includes(name) ? title : _("{title} (being prepared)", { title });
    byId("game").querySelector(`option[value="${name}"]`).textContent = said;
  }
}

export async function prepare(begun) {
  sit = begun;
  catalogue = await post("catalogue");
  byId("game").replaceChildren(...catalogue.games.map(({ name }) => element("option", "", { value: name })));
  prepareDoor(catalogue.ready);
  byId("game").onchange = () => chooseGame(chosenGame());
  offerLanguages();
  byId("clock").onchange = () => {
    byId("practice").disabled = byId("clock").value !== "";
    byId("practice").checked &&= !byId("practice").disabled;
  };
  byId("new-setup").onclick = () => beginFrom(null);
  await showOptions();
  await beginFrom(null);
  byId("begin").onsubmit = event => {
    event.preventDefault();
    begin({
      game: chosenGame(),
      options: position ? {} : options(),
      names: names(),
      seed: byId("seed").value.trim(),
      practice: byId("practice").checked,
      clock: JSON.parse(byId("clock").value || "null"),
      position: position?.text ?? null,
    });
  };
}

// The pictures of the form in another theme.
export async function drawForm() {
  if (!catalogue) return;
  const found = await withErrors(() => post("form", { game: chosenGame() }));
  const drawn = (found?.questions ?? []).flatMap(({ choices, pieces }) =>
    [...choices.some(({ svg }) => svg) ? choices : [], ...pieces]);
  const cards = byId("pictured").querySelectorAll(".card span[aria-hidden]");
  drawn.forEach(({ svg }, place) => { if (cards[place]) cards[place].innerHTML = svg ?? ""; });
}
