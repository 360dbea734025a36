// One game at several screens: invitations by link, who sits where, and what others have done meanwhile.

import { _, post, byId, element, withErrors } from "./dom.js";
import { pick } from "./board.js";
import { whoIs } from "./sentence.js";
import { agentsOf, nameOf } from "./setup-form.js";

const LONGEST_NAME = 20; // letters
const PAUSE = 3000; // milliseconds until a server that did not answer is asked again

let table = null; // what the page has on the table: `id()`, and `follow(news)` when others have done something
let seats = []; // those of the people at this screen
let shown = ""; // who sits where, as it is shown
let offered = null; // the game and the seat of the link that is shown; no seat: to watch
let named = null; // the game in which the name of last time was given
let listening = null; // the game of which news are waited for

export function prepareTogether(found) {
  table = found;
  byId("invite").onclick = () => {
    byId("together").open = true;
    byId("together").scrollIntoView({ block: "nearest" });
    byId("together").querySelector("button:not([hidden])").focus();
  };
  byId("again").onclick = () => playAgain(0);
  byId("turned").onclick = () => playAgain(1);
  byId("resign").onclick = askWhoResigns;
  byId("invite-watch").onclick = () => invite(null);
  byId("link-moment").onclick = () => give(null, `at=${table.at()}`);
}

// The same people again with other luck, everybody so many seats on; who asks later comes to the same game.
async function playAgain(places) {
  const shown = await withErrors(async () => {
    const { id } = await post("rematch", { id: table.id(), places });
    return { ...await post("show", { id }), id };
  });
  if (shown) table.sit(shown);
}

// Nobody resigns by one touch.
function askWhoResigns() {
  const agent = nameOf(agentsOf(table.game())[0]);
  const isAlone = seats.length === 1;
  const say = number =>
    isAlone ? _("You resign; {agent} plays on", { agent }) : _("Player {n} resigns; {agent} plays on", { n: number + 1, agent });
  pick(seats.map(number => ({ number, say: say(number) })), async seat => {
    const id = table.id();
    const shown = await withErrors(() => post("resign", { id, seat }));
    if (shown && table.id() === id) table.show(shown);
  });
}

// The game, invitation and moment of the address: #GAME&key=KEY&at=31.
export function addressed() {
  const [id, ...more] = location.hash.slice(1).split("&");
  const { key, at } = Object.fromEntries(more.map(part => part.split("=")));
  return { id, key, at: /^\d+$/.test(at) ? Number(at) : null };
}

// Who sits where, with invitations for an owner to give away.
export function showTogether({ together }) {
  if (together.shared) listen();
  seats = together.held;
  const state = JSON.stringify([table.id(), together]);
  if (state === shown || byId("guests").querySelector("input:focus")) return; // a button keeps the focus, a field what is typed
  shown = state;
  if (offered?.id !== table.id() || together.people[offered.seat]) byId("link").hidden = true;
  for (const button of ["invite", "invite-watch"]) byId(button).hidden = !together.owner;
  byId("watching").textContent = together.watching ? _("Watching: {n}", { n: together.watching }) : "";
  nameOnce(together);
  byId("guests").replaceChildren(...Object.entries(together.people).map(([seat, taken]) => {
    const player = Number(seat);
    const isHere = together.held.includes(player);
    const where = isHere ? _("at this screen") : _("at another screen");
    const line = element("li", `${whoIs({ together }, player)}, ${where}`);
    if (isHere) line.append(nameField(player, together.names[player] ?? ""));
    if (together.owner && !taken) line.append(element("button", _("Invite"), { onclick: () => invite(player) }));
    return line;
  }));
}

function nameField(player, name) {
  const field = element("input", undefined, { maxLength: LONGEST_NAME, value: name, autocomplete: "nickname" });
  field.placeholder = _("your name");
  field.setAttribute("aria-label", _("Name of player {n}", { n: player + 1 }));
  field.onchange = () => call(player, field.value);
  return field;
}

// Go by a name, also in later games with others.
async function call(player, name) {
  const id = table.id();
  const shown = await withErrors(() => post("call", { id, seat: player, called: name }));
  if (!shown || table.id() !== id) return;
  localStorage.setItem("name", shown.together.names[player] ?? "");
  table.show(shown);
}

// Who comes to play with others by the name of last time is called so.
function nameOnce({ shared, held, names }) {
  const name = localStorage.getItem("name");
  if (!shared || held.length !== 1 || named === table.id()) return;
  named = table.id();
  if (name && !names[held[0]]) post("call", { id: named, seat: held[0], called: name }).then(table.show, () => null); // taken: none
}

async function invite(seat) {
  byId("link").hidden = true; // whoever copies at once does not take the link before this one
  const answer = await withErrors(() => post("invite", { id: table.id(), seat }));
  if (!answer) return;
  showTogether(answer);
  if (answer.anew) await table.follow({ last: 0, together: answer.together });
  give(seat, `key=${answer.key}`, ...seat === null ? [`at=${table.at()}`] : []);
}

// Show a link to copy, to a seat or to watch; it is copied at once where the browser lets us.
function give(seat, ...more) {
  offered = { id: table.id(), seat };
  const field = byId("link").querySelector("input");
  byId("link").hidden = false;
  byId("copied").textContent = "";
  field.value = `${location.origin}${location.pathname}#${[table.id(), ...more].join("&")}`;
  field.select();
  showCode(offered, field.value);
  navigator.clipboard?.writeText(field.value).then(() => { byId("copied").textContent = _("copied"); }, () => null);
}

// The link as a QR code, made by this server alone.
async function showCode(wanted, link) {
  byId("qr").hidden = true;
  const answer = await withErrors(() => post("qr", { link }));
  if (!answer || wanted !== offered) return;
  byId("qr").src = `data:image/svg+xml,${encodeURIComponent(answer.svg)}`;
  byId("qr").hidden = false;
  byId("qr").scrollIntoView({ block: "nearest" });
}

// Wait for what happens in a game that others play or watch, too.
async function listen() {
  const id = table.id();
  if (listening === id) return;
  listening = id;
  const isGone = () => listening !== id || table.id() !== id;
  for (let known = "", online; !isGone();) {
    const news = await post("news", { id, known, online }).catch(() => null);
    if (isGone()) return;
    if (!news) await new Promise(soon => setTimeout(soon, PAUSE));
    else if (known !== "" && news.known !== known) await table.follow(news);
    else if (news) table.notice(news.together);
    known = news?.known ?? known;
    online = news?.together.online ?? online;
  }
}
