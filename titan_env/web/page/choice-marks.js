// Rings on the board: around the best choice at the moment that is shown, and around the one that was played.

import { byId } from "./dom.js";

const GAP = 5; // pixels between a thing and its ring
const ROUND = 12; // pixels of its corners

// Mark the things that stand for the best of these choices, and for the played one if it is another.
export function markChoices(found) {
  byId("choice-marks")?.remove();
  const picture = byId("board").querySelector(":scope > svg");
  if (!picture || !found?.choices) return;
  const [best, ...others] = found.choices;
  const rings = [["played", others.find(({ played }) => played)], ["best", best]].flatMap(([kind, choice]) =>
    choice ? thingsOf(picture, choice.action).map(thing => ring(kind, picture.getScreenCTM().inverse(), thing)) : []);
  const marks = document.createElementNS(picture.namespaceURI, "g");
  Object.assign(marks, { id: "choice-marks", innerHTML: rings.join("") }).setAttribute("aria-hidden", "true");
  picture.append(marks);
}

// The things that stand for an action and for the fewest others: a space or a card rather than the piece that goes there.
function thingsOf(picture, action) {
  const things = [...picture.querySelectorAll(`[data-action~="${action}"]`)];
  const others = things.map(thing => thing.dataset.action.split(" ").length);
  return things.filter((thing, number) => others[number] === Math.min(...others));
}

function ring(kind, into, thing) {
  const { left, top, right, bottom } = thing.getBoundingClientRect();
  const [start, end] = [new DOMPoint(left - GAP, top - GAP), new DOMPoint(right + GAP, bottom + GAP)]
    .map(corner => corner.matrixTransform(into));
  return `<rect class="${kind}" x="${start.x}" y="${start.y}" width="${end.x - start.x}" height="${end.y - start.y}" rx="${ROUND * into.a}"/>`;
}
