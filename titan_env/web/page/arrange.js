// The board as large as its frame allows; its panels, and what is written, in the room that is left beside or below it.

import { byId, isNarrow } from "./dom.js";

const GAP = 14; // pixels between parts
const COLUMN = 310; // pixels that what is written is wide at least
const WRITTEN = 230; // pixels that it is high at least, below the panels, without a graph and a tree of branches
const [SMALLEST, LARGEST] = [9.3, 20]; // pixels of the panels' letters
const [EASY, HARD] = [1.3, .4]; // times as large are the letters that are tried first, and last
const LEAST = .8; // of the size that a board could have it keeps so much
const BROAD = 430; // pixels in which two columns of what is written have room
const USUAL = .5; // of all letters so many are smaller than these
const [FINER, FINEST] = [.97, .99]; // one try after the other is so much smaller, of the board, and of panels on it
const ALIKE = .08; // by so much a board differs at most that is the same one
const SLACK = .03; // by so much a part may be larger than its room before all is laid anew
const PHONE = .6; // of the screen's height a board takes at most
const TALL = 1.5; // times as high as wide: such a board is as wide as a phone, and scrolled
const TALL_SHARE = .55; // of the screen's height that it is seen through

const desk = matchMedia("(min-width: 60.01rem) and (min-height: 32.01rem)");

let kept = null; // of the board that is shown: its frame, and the sizes of its parts so far

// Lay the parts of the picture in the frame of the board; a preview lies as the board that it is laid over.
export function arrange(drawn) {
  const frame = byId("board");
  if (!drawn || !frame.clientWidth || !(desk.matches || isNarrow())) return;
  const parts = partsOf(drawn);
  if (!kept?.plan || !drawn.closest("#preview")) makeRoom(parts, frame);
  const { boxes: [board, ...panels], plan } = kept;
  place(parts[0], board, plan.scale, plan.x, plan.y);
  for (const [number, part] of parts.slice(1).entries()) {
    const at = plan.panels[number];
    part.style.display = at ? "" : "none"; // there is no room for it
    if (at) place(part, panels[number], plan.panelScale, at.x, at.y);
  }
  drawn.setAttribute("viewBox", `0 0 ${plan.wide} ${plan.high}`);
  for (const sheet of [drawn, ...drawn.querySelectorAll(":scope > rect")]) { // the paper, too
    for (const [name, size] of [["width", plan.wide], ["height", plan.high]]) sheet.setAttribute(name, size);
  }
}

function makeRoom(parts, frame) {
  if (!remember(parts, frame)) return;
  const [board, ...panels] = kept.boxes;
  kept.letters ??= usualLetters(parts.slice(1));
  const scales = [SMALLEST, LARGEST].map(size => size / kept.letters);
  const plan = isNarrow() ? stacked(frame.clientWidth, board, panels, scales)
    : best(frame.clientWidth, frame.clientHeight, board, panels, scales);
  kept.plan = plan;
  for (const [name, size] of Object.entries(plan.style)) byId("table").style.setProperty(`--${name}`, `${Math.round(size)}px`);
  byId("beside").classList.toggle("broad", plan.style.talk > BROAD);
  byId("beside").classList.toggle("tall", !plan.style.top);
}

export function prepareArranging() {
  const observer = new ResizeObserver(() => arrange(byId("board").firstElementChild));
  for (const part of ["board", "graph", "branches"]) observer.observe(byId(part));
}

// A part of a picture, such as a thing with what is around it, as a picture of its own.
export function cutOut(drawn, { x, y, width, height }) {
  const part = drawn.cloneNode(true);
  for (const moved of part.querySelectorAll("[data-part]")) moved.removeAttribute("transform");
  for (const name of ["role", "aria-label", "width", "height", "style"]) part.removeAttribute(name);
  part.setAttribute("viewBox", [x, y, width, height].join(" "));
  part.setAttribute("aria-hidden", "true"); // it is all in the whole picture, too
  for (const thing of part.querySelectorAll("[tabindex]")) thing.removeAttribute("tabindex");
  return part;
}

// The board first, then its panels; what has no panels is a board as a whole.
function partsOf(drawn) {
  const parts = [...drawn.querySelectorAll(":scope > [data-part]")];
  if (parts.length) return parts;
  const whole = document.createElementNS(drawn.namespaceURI, "g");
  whole.dataset.part = "board";
  whole.append(...drawn.querySelectorAll(":scope > :not(rect:first-of-type, title)"));
  drawn.append(whole);
  return [whole];
}

// Keep the boxes of the parts, each with all the room that it has taken so far; whether they need another plan.
function remember(parts, { clientWidth: wide, clientHeight: high }) {
  const boxes = parts.map(part => { part.style.display = ""; return part.getBBox(); });
  const isAlike = (one, other) => Math.abs(one / other - 1) < ALIKE;
  const more = byId("graph").offsetHeight + byId("branches").offsetHeight;
  const isSame = kept && kept.wide === wide && kept.more === more && (isNarrow() || kept.high === high) && kept.boxes.length === boxes.length
    && isAlike(kept.boxes[0].width, boxes[0].width) && isAlike(kept.boxes[0].height, boxes[0].height);
  if (isSame && boxes.every((box, number) => hasRoom(box, kept.boxes[number]))) return false;
  kept = isSame ? { ...kept, boxes: boxes.map((box, number) => around(box, kept.boxes[number])) } : { wide, high, more, boxes };
  return true;
}

function hasRoom(box, room) {
  const whole = around(box, room);
  return whole.width <= (1 + SLACK) * room.width && whole.height <= (1 + SLACK) * room.height;
}

function around(one, other) {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const [right, low] = [one, other].reduce(
    (far, box) => [Math.max(far[0], box.x + box.width), Math.max(far[1], box.y + box.height)], [-Infinity, -Infinity]);
  return { x, y, width: right - x, height: low - y };
}

function usualLetters(panels) {
  const sizes = panels.flatMap(panel => [...panel.querySelectorAll("text")].map(text => Number(text.getAttribute("font-size"))));
  return sizes.sort((one, other) => one - other)[Math.floor(USUAL * sizes.length)] ?? 1;
}

// On a desk: panels in a column beside the board or in a strip below it, as easy to read as the board leaves room for.
function best(wide, high, board, panels, scales) {
  const most = Math.min(high / board.height, (wide - COLUMN - GAP) / board.width);
  for (let larger = EASY; larger > HARD; larger *= FINER) {
    const letters = [scales[0] * larger, scales[1]];
    for (let scale = most; scale > LEAST * most; scale *= FINER) {
      const plan = besideIt(wide, high, board, panels, letters, scale) ?? belowIt(wide, high, board, panels, letters, scale);
      if (plan) return { scale, x: 0, y: 0, ...plan, wide, high };
    }
  }
  return { ...besideIt(wide, high, board, [], scales, LEAST * most), scale: LEAST * most, x: 0, wide, high }; // without panels
}

function besideIt(wide, high, board, panels, scales, scale) {
  const column = wide - scale * board.width - GAP;
  const above = flow(panels, column, high - WRITTEN - kept.more, scales); // of what is written
  const before = column >= 2 * COLUMN + GAP && flow(panels, column - COLUMN - GAP, high, scales);
  const found = before && before.panelScale > (above?.panelScale ?? 0) ? before : above;
  if (!found) return null;
  const talk = found === before ? column - found.wide - GAP : column;
  const [x, y] = found === before ? [wide - column, (high - found.high + GAP) / 2] : [wide - (column + found.wide) / 2, 0];
  return {
    ...found, y: (high - scale * board.height) / 2, panels: found.panels.map(at => ({ x: x + at.x, y: y + at.y })),
    style: { left: wide - talk, top: found === before ? 0 : found.high, talk },
  };
}

function belowIt(wide, high, board, panels, scales, scale) {
  const room = wide - COLUMN - GAP;
  const top = scale * board.height + GAP;
  const found = flow(panels, room, high - top, scales);
  const x = (room - scale * board.width) / 2;
  const lower = found && (high - top - found.high + GAP) / 2; // half of what is left lies above the panels
  return found && {
    ...found, x, panels: found.panels.map(at => ({ x: at.x, y: top + lower + at.y })),
    style: { left: room + GAP, top: 0, talk: COLUMN },
  };
}

// On a phone: the board as wide as the screen, panels below it.
function stacked(wide, board, panels, [, largest]) {
  const isTall = board.height > TALL * board.width;
  const scale = isTall ? wide / board.width : Math.min(wide / board.width, PHONE * innerHeight / board.height);
  const high = scale * board.height;
  const panelScale = Math.min(largest, ...panels.map(panel => wide / panel.width));
  const found = packed(panels, panelScale, wide) ?? { panels: [], high: 0 };
  return {
    scale, x: (wide - scale * board.width) / 2, y: 0, panelScale, wide, high: high + GAP + found.high,
    panels: found.panels.map(at => ({ x: at.x, y: high + GAP + at.y })),
    style: { board: isTall ? TALL_SHARE * innerHeight : high },
  };
}

// Panels in lines from left to right, as large as there is room for; null where they would be too small to read.
function flow(panels, wide, high, [smallest, largest]) {
  if (!panels.length) return { panels: [], panelScale: 1, wide: 0, high: 0 };
  for (let panelScale = largest; panelScale >= smallest; panelScale *= FINEST) {
    const found = packed(panels, panelScale, wide);
    if (found && found.high <= high) return { ...found, panelScale };
  }
  return null;
}

function packed(panels, scale, wide) {
  let [x, y, line, most] = [0, 0, 0, 0];
  const places = [];
  for (const { width, height } of panels) {
    if (width * scale > wide + 1) return null;
    if (x && x + width * scale > wide) [x, y, line] = [0, y + line + GAP, 0];
    places.push({ x, y });
    x += width * scale + GAP;
    most = Math.max(most, x - GAP);
    line = Math.max(line, height * scale);
  }
  return { panels: places, wide: most, high: y + line + GAP };
}

const place = (part, box, scale, x, y) =>
  part.setAttribute("transform", `translate(${x - scale * box.x} ${y - scale * box.y}) scale(${scale})`);
