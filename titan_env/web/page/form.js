// The form in which a game is begun: its options, and who sits where.

import { ask, at, attempt, element } from "./base.js";

const OTHER = "other …";
const SPOKEN = { true: "yes", false: "no" };

let catalogue = null;
let position = null; // the text of the position that the game begins with, and how many play

const game = () => catalogue.games.find(known => known.name === at("game").value);

export const chosenGame = () => game().name;

// What was chosen, by name; what is left as it usually is goes without saying.
export function options() {
  const chosen = [...at("options").querySelectorAll("label")].map(label => [label.dataset.option, valueOf(label)]);
  return Object.fromEntries(chosen.filter(([, value]) => value));
}

function valueOf(label) {
  const [choice, typed] = [label.querySelector("select"), label.querySelector("textarea")];
  if (!choice || choice.value === OTHER) return typed.value.trim();
  return choice.selectedIndex ? choice.value : "";
}

function showOptions() {
  at("options").replaceChildren(...game().options.map(({ name, meaning, choices }) => {
    const label = element("label", name.replaceAll("_", " "));
    label.dataset.option = name;
    const typed = element("textarea", "", { name, rows: 1, autocomplete: "off", spellcheck: false });
    typed.oninput = () => { typed.rows = Math.min(14, typed.value.split("\n").length); };
    typed.onchange = showSeats;
    if (choices.length) label.append(choice(name, choices, typed));
    label.append(typed, element("small", meaning.replaceAll("`", "")));
    return label;
  }));
}

// What is usually chosen, the first one first, and a field for everything else.
function choice(name, choices, typed) {
  const select = element("select", "", { name });
  const all = choices.includes("true") ? choices : [...choices, OTHER];
  select.append(...all.map(value => element("option", SPOKEN[value] ?? value.replaceAll("_", " "), { value })));
  typed.hidden = true;
  select.onchange = () => {
    typed.hidden = select.value !== OTHER;
    if (!typed.hidden) typed.focus();
    showSeats();
  };
  return select;
}

let asked = 0;

async function showSeats() {
  const number = ++asked;
  const found = position ?? await attempt(() => ask("seats", { game: chosenGame(), options: options() }));
  if (found === null || number !== asked) return; // an answer that comes late is to an old question
  const before = names();
  at("seats").replaceChildren(...Array.from({ length: found.seats }, (_, seat) => {
    const label = element("label", `Player ${seat + 1}`);
    const choice = element("select");
    choice.append(...catalogue.agents.map(name => element("option", name, { value: name })));
    choice.value = before[seat] ?? (seat ? "greedy" : "person");
    label.append(choice);
    return label;
  }));
}

const names = () => [...at("seats").querySelectorAll("select")].map(choice => choice.value);

// Let the next game begin with a position (null: with a setup again).
export async function beginFrom(text, seats) {
  position = text === null ? null : { text, seats };
  at("options").hidden = position !== null;
  at("from").hidden = position === null;
  await showSeats();
}

export async function prepare(begun) {
  catalogue = await ask("catalogue");
  at("game").replaceChildren(...catalogue.games.map(({ name, title }) => element("option", title, { value: name })));
  at("game").onchange = () => { showOptions(); beginFrom(null); };
  at("new-setup").onclick = () => beginFrom(null);
  showOptions();
  await showSeats();
  at("begin").onsubmit = async event => {
    event.preventDefault();
    const view = await attempt(() => ask("begin", {
      game: chosenGame(),
      options: position ? {} : options(),
      names: names(),
      seed: at("seed").value.trim(),
      practice: at("practice").checked,
      position: position?.text ?? null,
    }));
    if (view) begun(view);
  };
}
