// What a person can do beside choosing: see what is left to do in this turn, and leave some of it to an agent.

import { _, byId, element } from "./dom.js";
import { agentsOf, nameOf } from "./setup-form.js";

let reminders = []; // what has not been done yet in this turn
let next = 0; // which of it is shown next
let helper = null; // the agent that was chosen last

// Show what can be done at this moment; `ask` asks the server for it.
export function showOtherChoices(view, post) {
  showReminders(view.reminders ?? []);
  const runs = view.handovers ?? [];
  byId("helper").hidden = !runs.length;
  if (runs.length) offerAgents(view.game);
  const buttons = runs.map(({ key, title }) => {
    const button = element("button", title);
    button.onclick = () => post("hand_over", { key, agent: byId("helper").value, at: view.at });
    return button;
  });
  if (view.helping && !view.your_turn) {
    const button = element("button", _("Take over from the agent"));
    button.onclick = () => post("take_over");
    buttons.push(button);
  }
  byId("runs").replaceChildren(...buttons, ...orders(view, post));
}

// What is asked in private keeps the others waiting: answer it by order from now on, or be asked again.
function orders({ can_order: offered = [], orders: standing = [], at }, post) {
  const said = { always: _("From now on always"), never: _("From now on never") };
  const give = offered.map(order => element("button", said[order], { onclick: () => post("order", { order, at }) }));
  const end = standing.map(({ ask, order, say }) => {
    const said = order === "always" ? _("Ask me again (now always: {say})", { say }) : _("Ask me again (now never: {say})", { say });
    return element("button", said, { onclick: () => post("order", { order: "ask", ask, at }) });
  });
  return [...give, ...end];
}

function offerAgents(game) {
  const names = agentsOf(game);
  helper = names.includes(helper) ? helper : names[0];
  byId("helper").replaceChildren(...names.map(name => element("option", nameOf(name), { value: name })));
  byId("helper").value = helper;
  byId("helper").onchange = () => { helper = byId("helper").value; };
}

function showReminders(found) {
  const isOther = found.length !== reminders.length || found.some(({ key }, place) => key !== reminders[place].key);
  if (isOther) next = 0;
  reminders = found;
  byId("next").hidden = !found.length;
  byId("next").title = found.map(({ text }) => text).join("\n");
  nameNext();
}

function nameNext() {
  const reminder = reminders[next % reminders.length];
  if (reminder) byId("next").textContent = _("Left to do, {n} (n): {text}", { n: reminders.length, text: reminder.text });
}

// Go to what is left to do, one after the other; where it can be chosen, Enter does.
export function goToNext() {
  if (!reminders.length) return;
  const { key } = reminders[next % reminders.length];
  nameNext();
  next += 1;
  for (const shown of document.querySelectorAll("#board .shown")) shown.classList.remove("shown");
  const thing = byId("board").querySelector(`[data-key="${CSS.escape(key)}"]`);
  thing?.scrollIntoView({ block: "nearest", inline: "nearest" });
  thing?.focus({ preventScroll: true, focusVisible: true });
  thing?.classList.add("shown");
}
