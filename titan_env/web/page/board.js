// A drawn board on which legal things can be clicked, or chosen with the keyboard.

import { _, byId, element, isNarrow } from "./dom.js";
import { arrange, cutOut } from "./arrange.js";
import { numberOf } from "./digits.js";

// The things of a picture under the pointer, the uppermost first: a Titan stands on a space, both can be meant.
export const thingsAt = (event, kind) =>
  document.elementsFromPoint(event.clientX, event.clientY).map(found => found.closest(kind)).filter(Boolean);

// Put a picture into its frame, at the top of it, however high it is: nothing below moves.
export function hang(figure, svg) {
  figure.innerHTML = svg;
  const drawn = figure.firstElementChild;
  drawn?.setAttribute("preserveAspectRatio", "xMidYMin");
  if (figure.closest("#board")) arrange(drawn);
}

// Draw a picture; `choose` is called with the action that the person means, if it is theirs to decide.
export function drawBoard(figure, view, choose) {
  hang(figure, view.svg);
  figure.classList.toggle("mine", view.your_turn);
  bringIntoView(figure, view);
  figure.onclick = event => {
    const offered = thingsAt(event, "[data-action]").find(thing => thing.offered)?.offered;
    if (offered) choosePicked(offered, choose);
  };
  if (!view.your_turn) return;
  for (const thing of figure.querySelectorAll("[data-action]")) {
    const numbers = thing.dataset.action.split(" ").map(Number);
    const offered = view.actions.filter(action => action.say && numbers.includes(action.number));
    thing.setAttribute("role", "button");
    thing.setAttribute("tabindex", "0");
    if (thing.dataset.press) thing.setAttribute("aria-keyshortcuts", thing.dataset.press);
    thing.setAttribute("aria-label", offered.map(action => action.say).join(_(", or ")));
    thing.offered = offered;
    thing.onkeydown = event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choosePicked(offered, choose);
    };
  }
}

// The things on the board that the panel of who plays shows.
function ownPieces(figure, { panel }) {
  const keys = figure.querySelector(`[data-key="${panel}"]`)?.dataset.shows?.split(" ") ?? [];
  return keys.map(key => figure.querySelector(`[data-part=board] [data-key="${CSS.escape(key)}"]`)).filter(Boolean);
}

// Where a board is larger than its frame, one's own piece is seen when one is asked, else what has moved or can be chosen;
// no panel takes the place of the board.
function bringIntoView(figure, view) {
  const frame = figure.getBoundingClientRect();
  const own = view.your_turn && ownPieces(figure, view);
  const things = own?.length ? own : [...figure.querySelectorAll("[data-part=board] :is([data-along], [data-action])")];
  const places = things.map(thing => thing.getBoundingClientRect());
  const isHigh = ({ top, bottom }) => top >= frame.top && bottom <= frame.bottom;
  const isWide = ({ left, right }) => left >= frame.left && right <= frame.right;
  if (!places.length || places.some(place => isHigh(place) && isWide(place))) return;
  const place = places.find(isHigh) ?? places[0];
  if (!isHigh(place)) figure.scrollTop += place.bottom - frame.bottom + place.height;
  if (!isWide(place)) figure.scrollLeft += (place.left + place.right - frame.left - frame.right) / 2;
}

// The only action of the thing on the board that a key of the keyboard stands for.
export function pressed(figure, key) {
  const thing = [...figure.querySelectorAll("[data-press]")].find(found => found.dataset.press === key);
  return thing?.offered?.length === 1 ? thing.offered[0].number : null;
}

// Choose at once where there is one way, else ask which.
function choosePicked(offered, choose) {
  if (offered.length === 1) return choose(offered[0].number);
  pick(offered, choose);
}

// Ask which of these it is to be, or none.
export function pick(offered, choose) {
  const dialog = byId("choose");
  dialog.querySelector("div").replaceChildren(...offered.map(action => {
    const button = element("button", action.say);
    button.onclick = () => { dialog.close(); choose(action.number); };
    return button;
  }));
  dialog.showModal();
}

// On a phone: the part of the picture with what belongs to who plays, above the choices.
export function showPanel(figure, view) {
  const whole = figure.firstElementChild;
  const box = isNarrow() && view.panel && figure.querySelector(`[data-key="${view.panel}"]`)?.getBBox();
  byId("own").hidden = !box;
  if (!box) return;
  byId("own").replaceChildren(cutOut(whole, box));
}

// Buttons for what is legal, each with the number that chooses it.
export function listActions(view, choose) {
  byId("actions").replaceChildren(...view.actions.map((action, place) => {
    const button = element("button", action.say);
    button.prepend(element("kbd", `${numberOf(place, view.actions.length)} `));
    button.dataset.number = action.number;
    button.onclick = () => choose(action.number);
    return button;
  }));
  byId("barred").hidden = !view.barred;
}

const [NARROW, WIDER] = [.6, 1.1]; // of the width of one line a choice of two has so much, and is made wider in such steps

// One line of choices, or all of them where that is too short even for choices of two lines of words each.
export function showAllChoices(isAsked = byId("all-choices").getAttribute("aria-expanded") !== "true") {
  byId("choices").classList.toggle("all", isAsked);
  byId("all-choices").setAttribute("aria-expanded", isAsked);
  byId("all-choices").hidden = true;
  for (const button of byId("actions").children) button.style.width = "";
  if (!isAsked && isCutOff()) [...byId("actions").children].forEach(fold);
  byId("all-choices").hidden = !isAsked && !isCutOff();
}

const isCutOff = () => byId("actions").scrollWidth > byId("actions").clientWidth;

// Two lines of words in a choice, which have room in its height.
function fold(button) {
  const { offsetWidth, offsetHeight } = button;
  for (let width = NARROW * offsetWidth; width < offsetWidth; width *= WIDER) {
    button.style.width = `${Math.ceil(width)}px`;
    if (button.offsetHeight <= offsetHeight) return;
  }
  button.style.width = "";
}

const FEW = 4; // of what is barred for one reason, so many are shown before somebody asks for more

// What is not legal, off, under the reason that forbids it, the shortest lists first; asked for when somebody opens it.
export function listReasons(reasons) {
  const byLength = Object.entries(reasons).sort(([, one], [, other]) => one.length - other.length);
  byId("barred").querySelector("dl").replaceChildren(...byLength.flatMap(([why, texts]) => {
    const off = element("dd");
    const all = texts.map(text => element("span", text.replace(":", " ").replaceAll("_", " "), { className: "off", title: why }));
    const rest = all.splice(texts.length > FEW + 1 ? FEW : texts.length);
    off.append(...all);
    if (rest.length) {
      const more = element("button", _("{n} more", { n: rest.length }));
      more.onclick = () => more.replaceWith(...rest);
      off.append(more);
    }
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
