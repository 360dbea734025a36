// The front door: every game by its own board, one's own games, games to watch.

import { _, post, byId, element, show, withErrors } from "./dom.js";
import { beginGuide } from "./guide.js";
import { begin, chooseGame, gamesOf, nameOf, showReady } from "./setup-form.js";

const SOON = 700; // milliseconds until it is asked again which games are ready

export function prepareDoor(ready) {
  byId("fetching").hidden = true;
  byId("beside-games").hidden = false;
  byId("games").replaceChildren(...gamesOf().map(card));
  byId("watch").replaceChildren(...gamesOf().map(({ name, title }) =>
    element("button", title, { onclick: () => play(name, false) })));
  byId("to-arena").onclick = () => document.querySelector('[data-tab="arena"]').click();
  follow(ready).catch(() => null); // a server that is gone is complained of elsewhere
  showMine();
}

function card({ name, title, pitch, seats: [fewest, most], minutes, guided, color }) {
  const made = element("article", undefined, { className: "game" });
  made.dataset.game = name;
  for (const [at, theme] of ["light", "dark"].entries()) {
    made.style.setProperty(`--own-${theme}`, color?.[at] ?? "var(--accent)");
  }
  const cover = element("div", undefined, { className: "cover" });
  cover.append(element("span", _("getting ready …")));
  const heading = element("h3", title);
  const players = fewest === most ? _("{n} players", { n: most }) : _("{from} to {to} players", { from: fewest, to: most });
  heading.append(" ", element("small", [players, minutes && _("about {n} minutes", { n: minutes })].filter(Boolean).join(", ")));
  const ways = element("div", undefined, { className: "ways" });
  ways.append(way(_("Play"), title, () => play(name, true), "main"));
  if (guided) ways.append(way(_("Learn in two minutes"), title, () => beginGuide(name)));
  ways.append(way(_("Options"), title, async () => { show("start"); await chooseGame(name); }));
  made.append(cover, heading, element("p", pitch, { className: "pitch" }), ways);
  return made;
}

function way(text, title, go, className = "") {
  const button = element("button", text, { className, onclick: () => busy(button.closest(".game"), go) });
  button.setAttribute("aria-label", `${text}: ${title}`);
  return button;
}

// A game that is not ready yet begins once it is: nothing more can be asked of it meanwhile.
async function busy(made, go) {
  made.setAttribute("aria-busy", true);
  const waits = made.querySelector(".cover span");
  if (waits) waits.textContent = _("It begins as soon as it is ready …");
  for (const button of made.querySelectorAll("button")) button.disabled = true;
  await go();
  for (const button of made.querySelectorAll("button")) button.disabled = false;
  made.removeAttribute("aria-busy");
}

// A game as it is usually played: a person in the first seat, or nobody, and the usual agent in all others.
async function play(name, takesPart) {
  const found = await withErrors(() => post("seats", { game: name, options: {} }));
  if (!found) return null;
  const [person, usual] = gamesOf().find(game => game.name === name).agents;
  const names = Array.from({ length: found.seats }, (unused, seat) => takesPart && !seat ? person : usual);
  return begin({ game: name, options: {}, names, seed: "", practice: false, position: null });
}

// Until all games are ready it is asked again; each shows its board from then on.
async function follow(ready) {
  for (let known = ready; ; { ready: known } = await post("progress")) {
    showReady(known);
    await Promise.all(known.map(name => withErrors(() => drawCover(name))));
    if (known.length === gamesOf().length) return;
    await new Promise(soon => setTimeout(soon, SOON));
  }
}

const cardOf = name => byId("games").querySelector(`[data-game="${name}"]`);

async function drawCover(name) {
  const cover = cardOf(name).querySelector(".cover");
  if (cover.querySelector("img")) return;
  const { svg } = await post("position", { game: name, text: "", narrow: false });
  cover.replaceChildren(element("img", undefined, { alt: "", src: `data:image/svg+xml,${encodeURIComponent(svg)}` }));
}

// The boards in another theme.
export function drawDoor() {
  const drawn = [...byId("games").querySelectorAll("[data-game]:has(img)")];
  for (const made of drawn) {
    made.querySelector("img").remove();
    drawCover(made.dataset.game).catch(() => null);
  }
}

// One's own games, the latest first.
export async function showMine() {
  const found = await withErrors(() => post("mine"));
  if (!found) return;
  const { games } = found;
  byId("none-mine").hidden = games.length > 0;
  byId("mine").replaceChildren(...games.map(({ id, title, names, decisions, result }) => {
    const line = element("li");
    const button = element("button", title, { onclick: () => { location.hash = `#${id}`; } });
    const how = result ?? _("decisions: {n}", { n: decisions });
    button.append(element("br"), element("small", `${names.map(nameOf).join(", ")} · ${how}`));
    line.append(button);
    return line;
  }));
}
