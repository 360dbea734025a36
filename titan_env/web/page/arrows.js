// Arrows on the board: the best choice at the moment that is shown, and the one that was played.

import { byId } from "./dom.js";
import { ownPieces } from "./board.js";

const RING = 5; // pixels around a thing

// Point at the things that stand for the best of these choices and for the played one, from the piece that would do it.
export function drawArrows(found) {
  byId("arrows")?.remove();
  const picture = byId("board").querySelector(":scope > svg");
  if (!picture || !found?.choices) return;
  const best = found.choices[0];
  const played = found.choices.find(choice => choice.played && choice !== best);
  const into = picture.getScreenCTM().inverse();
  const pieces = ownPieces(byId("board"), found);
  const from = pieces.length === 1 && placeIn(into, pieces[0]);
  const arrows = document.createElementNS(picture.namespaceURI, "g");
  Object.assign(arrows, { id: "arrows" }).setAttribute("aria-hidden", "true");
  const drawn = [["played", played], ["best", best]].flatMap(([kind, choice]) =>
    choice ? thingsOf(picture, choice.action).map(thing => arrow(kind, from, placeIn(into, thing))) : []);
  arrows.innerHTML = drawn.join("");
  picture.append(arrows);
}

// The things that stand for an action and for the fewest others: a card or a space rather than the piece that goes there.
function thingsOf(picture, action) {
  const things = [...picture.querySelectorAll(`[data-action~="${action}"]`)];
  const others = things.map(thing => thing.dataset.action.split(" ").length);
  return things.filter((thing, number) => others[number] === Math.min(...others));
}

// Where a thing is, in units of the picture.
function placeIn(into, thing) {
  const { left, top, right, bottom } = thing.getBoundingClientRect();
  const [start, end] = [new DOMPoint(left - RING, top - RING), new DOMPoint(right + RING, bottom + RING)]
    .map(corner => corner.matrixTransform(into));
  return new DOMRect(start.x, start.y, end.x - start.x, end.y - start.y);
}

const centre = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

// A ring around a thing, and an arrow to its edge where the piece stands elsewhere.
function arrow(kind, from, to) {
  const [[x, y], round] = [centre(to), Math.min(to.width, to.height) / 2];
  const ring = `<rect x="${to.x}" y="${to.y}" width="${to.width}" height="${to.height}" rx="${round / 2}"/>`;
  const [startX, startY] = from ? centre(from) : [x, y];
  const far = Math.hypot(x - startX, y - startY);
  if (far <= round * 2) return `<g class="${kind}">${ring}</g>`;
  const [right, down] = [(x - startX) / far, (y - startY) / far];
  const point = (ahead, aside) => `${x + right * ahead - down * aside} ${y + down * ahead + right * aside}`;
  const [tip, head] = [-round * .4, round * .7];
  const shaft = `<path d="M${startX} ${startY}L${point(tip - head, 0)}"/>`;
  const end = `<path class="head" d="M${point(tip, 0)}L${point(tip - head, head / 2)}L${point(tip - head, -head / 2)}Z"/>`;
  return `<g class="${kind}">${ring}${shaft}${end}</g>`;
}
