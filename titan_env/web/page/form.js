// The form in which a game is begun: its options, and who sits where.

import { ask, at, attempt, element } from "./base.js";

let catalogue = null;
let position = null; // the text of the position that the game begins with

const game = () => catalogue.games.find(known => known.name === at("game").value);

export function options() {
  const typed = [...at("options").querySelectorAll("input")].map(input => [input.name, input.value.trim()]);
  return Object.fromEntries(typed.filter(([, value]) => value));
}

function showOptions() {
  at("options").replaceChildren(...game().options.map(({ name, meaning, choices }) => {
    const label = element("label", name.replaceAll("_", " "));
    const input = element("input", "", { name, placeholder: choices[0] ?? "", autocomplete: "off" });
    const list = element("datalist", "", { id: `choices-${name}` });
    list.append(...choices.map(value => element("option", undefined, { value })));
    input.setAttribute("list", list.id);
    input.onchange = showSeats;
    label.append(input, list, element("small", meaning.replaceAll("`", "")));
    return label;
  }));
}

let asked = 0;

async function showSeats() {
  const number = ++asked;
  const found = position ?? await attempt(() => ask("seats", { game: game().name, options: options() }));
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
  await showSeats();
}

export async function prepare(begun) {
  catalogue = await ask("catalogue");
  at("game").replaceChildren(...catalogue.games.map(({ name, title }) => element("option", title, { value: name })));
  at("game").onchange = () => { showOptions(); showSeats(); };
  showOptions();
  await showSeats();
  at("begin").onsubmit = async event => {
    event.preventDefault();
    const seed = at("seed").value.trim();
    const view = await attempt(() => ask("begin", {
      game: game().name,
      options: position ? {} : options(),
      names: names(),
      seed: seed === "" ? null : Number(seed),
      practice: at("practice").checked,
      position: position?.text ?? null,
    }));
    if (view) begun(view);
  };
}

export const chosenGame = () => game().name;
