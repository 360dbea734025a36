// The log beside the board: every turn with its decisions and what came of them, each a way back to its moment.

import { post, byId, withErrors, element } from "./dom.js";
import { whoIn } from "./players.js";

let table = null; // the game that the log is of
let written = 0; // the latest moment in it
let eyes = null; // whose log it is, and who is called how: others know of other moments
let writing = Promise.resolve(); // one question at a time: what comes twice or late would be out of order

let mistakes = { table: null, marks: new Map() }; // of which game, and the mark and what is said of it by moment

export function forgetMistakes(id) {
  mistakes = { table: id, marks: new Map() };
}

// Mark the decision that led to a moment as a mistake, and say what it gave away.
export function markMistake(id, at, mark, message) {
  if (mistakes.table !== id) forgetMistakes(id);
  mistakes.marks.set(at, { mark, message });
  if (id === table) showMistake(byId("log").querySelector(`[data-at="${at}"]`));
}

function showMistake(link) {
  const found = mistakes.table === table && mistakes.marks.get(Number(link?.dataset.at));
  if (!found || link.dataset.mark) return;
  link.dataset.mark = found.mark;
  link.append(element("small", found.message, { className: "mistake" }));
}

export function prepareHistory() {
  byId("history").ontoggle = () => seeMarked();
}

// Bring the log up to the latest moment, and mark the one that is shown.
export function keepHistory(id, view, seat, look) {
  const { at, last } = view;
  const viewer = JSON.stringify([view.viewer_seat, view.together.held, view.together.names]);
  writing = writing.then(async () => {
    if (id !== table || last < written || viewer !== eyes) {
      for (const part of ["log", "latest"]) byId(part).replaceChildren();
      [table, written, eyes] = [id, 0, viewer];
    }
    if (last > written) {
      const found = await withErrors(() => post("history", { id, seat, since: written, until: last }));
      for (const line of found?.lines ?? []) write(line, view, look);
      written = last;
      byId("latest").textContent = byId("log").querySelector(":scope > li:last-child li:last-child > .moment > span")?.textContent ?? "";
      if (byId("log").clientHeight) byId("log").scrollTop = byId("log").scrollHeight;
    }
    mark(at);
  });
}

function write(line, view, look) {
  const log = byId("log");
  let turn = log.lastElementChild;
  if (turn?.dataset.turn !== String(line.turn)) {
    turn = element("li", "");
    turn.dataset.turn = line.turn;
    turn.append(element("b", line.title ?? `${line.seat + 1} ${whoIn(view, line.seat)}`), element("ul"));
    log.append(turn);
  }
  const entry = element("li");
  const link = element("button", "", { className: "moment", tabIndex: -1 });
  link.dataset.at = line.at;
  const who = Number(turn.dataset.seat ?? line.seat) === line.seat ? "" : `${line.seat + 1}: `;
  turn.dataset.seat ??= line.seat;
  const more = line.events.filter(text => text !== line.say);
  link.append(element("span", who + line.say + (line.by ? ` (${line.by})` : "")), ...more.map(text => element("small", text)));
  link.onclick = () => look(line.at);
  showMistake(link);
  entry.append(link);
  turn.lastElementChild.append(entry);
}

function mark(moment) {
  const log = byId("log");
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const here = log.querySelector(`[data-at="${moment}"]`);
  here?.setAttribute("aria-current", "true");
  stopAt(here ?? log.querySelector(".moment"));
  seeMarked();
}

// The moment that is shown is seen in the log, while that is open.
function seeMarked() {
  const log = byId("log");
  const here = log.querySelector("[aria-current]");
  if (!here || !log.clientHeight) return;
  const [top, bottom] = [here.offsetTop, here.offsetTop + here.offsetHeight];
  if (top < log.scrollTop || bottom > log.scrollTop + log.clientHeight) log.scrollTop = top - log.clientHeight / 2;
}

// The Tab key stops once in the log, at the moment that is shown or was walked to; arrows walk from one to the next.
function stopAt(link) {
  for (const other of byId("log").querySelectorAll('.moment[tabindex="0"]')) other.tabIndex = -1;
  if (link) link.tabIndex = 0;
}

byId("log").onkeydown = event => {
  const links = [...byId("log").querySelectorAll(".moment")];
  const from = links.indexOf(event.target.closest(".moment"));
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: links.length - 1 }[event.key];
  if (from < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation(); // elsewhere Home and End lead through the game
  const link = links[Math.max(0, Math.min(links.length - 1, to))];
  stopAt(link);
  link.focus();
};
