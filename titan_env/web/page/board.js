// A drawn board on which legal things can be clicked, or chosen with the keyboard.

import { at, element } from "./base.js";

// The things of a picture under the pointer, the uppermost first: a Titan stands on a space, both can be meant.
export const thingsAt = (event, kind) =>
  document.elementsFromPoint(event.clientX, event.clientY).map(found => found.closest(kind)).filter(Boolean);

// Put a picture into its frame, at the top of it, however high it is: nothing below moves.
export function hang(figure, svg) {
  figure.innerHTML = svg;
  figure.firstElementChild?.setAttribute("preserveAspectRatio", "xMidYMin");
}

// Draw a picture; `choose` is called with the action that the person means, if it is theirs to decide.
export function drawBoard(figure, view, choose) {
  hang(figure, view.svg);
  figure.classList.toggle("mine", view.mine);
  figure.onclick = event => {
    const offered = thingsAt(event, "[data-action]").find(thing => thing.offered)?.offered;
    if (offered) pick(offered, choose);
  };
  if (!view.mine) return;
  for (const thing of figure.querySelectorAll("[data-action]")) {
    const numbers = thing.dataset.action.split(" ").map(Number);
    const offered = view.actions.filter(action => action.say && numbers.includes(action.number));
    thing.setAttribute("role", "button");
    thing.setAttribute("tabindex", "0");
    thing.setAttribute("aria-label", offered.map(action => action.say).join(", or "));
    thing.offered = offered;
    thing.onkeydown = event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick(offered, choose);
    };
  }
}

// Choose at once where there is one way, else ask which.
function pick(offered, choose) {
  if (offered.length === 1) return choose(offered[0].number);
  const dialog = at("choose");
  dialog.querySelector("div").replaceChildren(...offered.map(action => {
    const button = element("button", action.say);
    button.onclick = () => { dialog.close(); choose(action.number); };
    return button;
  }));
  dialog.showModal();
}

// Buttons for what is legal, and below them, off, what is not, under the reason that forbids it.
export function listActions(view, choose) {
  const legal = view.mine ? view.actions.filter(action => action.say) : [];
  at("actions").replaceChildren(...legal.map((action, place) => {
    const button = element("button", action.say);
    if (place < 10) button.prepend(element("kbd", `${(place + 1) % 10} `));
    button.onclick = () => choose(action.number);
    return button;
  }));
  const reasons = Map.groupBy(view.actions.filter(action => action.why), action => action.why);
  at("barred").hidden = !reasons.size;
  at("barred").querySelector("dl").replaceChildren(...[...reasons].flatMap(([why, actions]) => {
    const off = element("dd");
    off.append(...actions.map(({ text }) =>
      element("span", text.replace(":", " ").replaceAll("_", " "), { className: "off", title: why })));
    return [element("dt", why), off];
  }));
}

// Where the keyboard is on the table: at a thing of the board, or among the choices.
let place = null;

function placeOf(target) {
  if (target.closest("#board [data-key]")) return `#board [data-key="${target.closest("[data-key]").dataset.key}"]`;
  return target.closest("#actions") ? "#actions button" : null;
}

// Only of those who use the keyboard: a key pressed after a click must not choose anything.
document.addEventListener("focusin", event => {
  place = event.target.matches(":focus-visible") ? placeOf(event.target) : null;
});

// Draw anew, and leave the keyboard where it was; if that is no choice now, at the first one that there is.
export function keepFocus(draw) {
  draw();
  if (place === null || document.activeElement !== document.body) return;
  const kept = [place, "#actions button"].map(found => document.querySelector(found)).find(found => found?.tabIndex === 0);
  kept?.focus({ preventScroll: true });
}
