// What a person can do beside choosing: see what is left to do in this turn, and leave some of it to an agent.

import { _, at, element } from "./dom.js";
import { agentsOf, nameOf } from "./setup-form.js";

let reminders = []; // what has not been done yet in this turn
let next = 0; // which of it is shown next
let helper = null; // the agent that was chosen last

// Show what can be done at this moment; `ask` asks the server for it.
export function showDeeds(view, ask) {
  showReminders(view.reminders ?? []);
  const runs = view.handovers ?? [];
  at("helper").hidden = !runs.length;
  if (runs.length) offerAgents(view.game);
  const buttons = runs.map(({ key, title }) => {
    const button = element("button", title);
    button.onclick = () => ask("hand_over", { key, agent: at("helper").value, at: view.at });
    return button;
  });
  if (view.helping && !view.mine) {
    const button = element("button", _("Take over from the agent"));
    button.onclick = () => ask("take_over");
    buttons.push(button);
  }
  at("runs").replaceChildren(...buttons);
}

function offerAgents(game) {
  const names = agentsOf(game);
  helper = names.includes(helper) ? helper : names[0];
  at("helper").replaceChildren(...names.map(name => element("option", nameOf(name), { value: name })));
  at("helper").value = helper;
  at("helper").onchange = () => { helper = at("helper").value; };
}

function showReminders(found) {
  const isOther = found.length !== reminders.length || found.some(({ key }, place) => key !== reminders[place].key);
  if (isOther) next = 0;
  reminders = found;
  at("next").hidden = !found.length;
  at("next").title = found.map(({ text }) => text).join("\n");
  nameNext();
}

function nameNext() {
  const reminder = reminders[next % reminders.length];
  if (reminder) at("next").textContent = _("Left to do, {n} (n): {text}", { n: reminders.length, text: reminder.text });
}

// Go to what is left to do, one after the other; where it can be chosen, Enter does.
export function goToNext() {
  if (!reminders.length) return;
  const { key } = reminders[next % reminders.length];
  nameNext();
  next += 1;
  for (const shown of document.querySelectorAll("#board .shown")) shown.classList.remove("shown");
  const thing = at("board").querySelector(`[data-key="${CSS.escape(key)}"]`);
  thing?.scrollIntoView({ block: "nearest", inline: "nearest" });
  thing?.focus({ preventScroll: true, focusVisible: true });
  thing?.classList.add("shown");
}
