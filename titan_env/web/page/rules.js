// The rules: their contents, a search in them, examples that are drawn, and the way to the one that an event is about.

import { _, post, byId, withErrors, element, isNarrow, theme } from "./dom.js";

const AHEAD = "400px"; // so near to the eye an example is drawn

let shown = null; // the game whose rules are on the page
let near = null; // watches which examples come into view

export async function readRules(game, anchor) {
  if (shown !== game) {
    const page = await withErrors(() => post("rules", { game }));
    if (!page) return;
    const article = byId("rules").querySelector("article");
    article.innerHTML = page.html;
    article.lang = page.language;
    shown = game;
    listContents();
    watchExamples();
  }
  byId("find").value = "";
  search();
  if (!byId("rules").open) byId("rules").showModal();
  byId("rules").querySelectorAll(".example").forEach(watch);
  goTo(anchor);
}

function goTo(anchor) {
  byId("rules").querySelector(".found")?.classList.remove("found");
  const heading = anchor && document.getElementById(anchor);
  if (heading) {
    heading.classList.add("found");
    heading.scrollIntoView();
  } else byId("rules").scrollTop = 0;
}

function listContents() {
  byId("contents").replaceChildren(...[...byId("rules").querySelectorAll("article :is(h1, h2)")].slice(1).map(heading => {
    const link = element("a", heading.textContent, { href: `#${heading.id}`, className: heading.tagName.toLowerCase() });
    link.onclick = click => { click.preventDefault(); goTo(heading.id); };
    return link;
  }));
}

// Each example is drawn when somebody comes to it; on a phone, where it would hide the text, when it is unfolded.
function watchExamples() {
  near?.disconnect();
  near = new IntersectionObserver(seen => {
    for (const { target, isIntersecting } of seen) if (isIntersecting) drawExample(target);
  }, { root: byId("rules"), rootMargin: AHEAD });
  for (const example of byId("rules").querySelectorAll(".example")) {
    example.open = !isNarrow();
    example.ontoggle = () => watch(example);
    watch(example);
  }
}

// The observer tells at once whether it is in view.
function watch(example) {
  near.unobserve(example);
  near.observe(example);
}

async function drawExample(example) {
  const look = `${theme()} ${isNarrow()}`;
  if (!example.open || example.dataset.look === look) return;
  example.dataset.look = look;
  const drawn = await post("example", { game: shown, rule: example.dataset.rule }).catch(() => null);
  if (!drawn) return delete example.dataset.look; // whoever comes back asks again
  const figure = example.querySelector("figure");
  figure.innerHTML = drawn.svg;
  figure.append(element("figcaption", drawn.said));
}

// Every rule with the word in it stays; the others go until the search is empty again.
function search() {
  const word = byId("find").value.trim().toLowerCase();
  let rule = [];
  let rules = 0;
  const settle = () => {
    const is = !word || rule.some(part => part.textContent.toLowerCase().includes(word));
    for (const part of rule) part.hidden = !is;
    rules += is && rule.length ? 1 : 0;
  };
  for (const part of byId("rules").querySelector("article").children) {
    if (/^H[12]$/.test(part.tagName)) {
      settle();
      rule = [];
    }
    rule.push(part);
  }
  settle();
  byId("contents").hidden = Boolean(word);
  byId("found").textContent = word ? _("found: {n}", { n: rules }) : "";
}

export function prepareRules() {
  byId("find").oninput = search;
  byId("close-rules").onclick = () => byId("rules").close();
}
