// The pages of questions: follows a run, lights the cells of a figure, draws charts. Every page works without it.
"use strict";

const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// A form is sent once: its word tells the server that a second press is the same question.
function prepareForms() {
  for (const form of all("form[data-once]")) {
    const word = one("input[name=once]", form);
    if (word && !word.value) word.value = [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16)).join("");
    if (form.dataset.ready) continue;
    form.dataset.ready = "yes";
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) { event.preventDefault(); return; }
      form.dataset.sent = "yes";
    });
  }
}

function light(figure, on) {
  for (const id of figure.dataset.cells.split(" ")) {
    const cell = id && document.getElementById(id);
    if (cell) cell.classList.toggle("lit", on);
  }
}

function prepareFigures() {
  for (const figure of all("a.figure")) {
    for (const [name, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
      figure.addEventListener(name, () => light(figure, on));
    }
  }
}

function prepareCopy() {
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      if (navigator.clipboard) await navigator.clipboard.writeText(source.value);
      else { source.select(); document.execCommand("copy"); }
      button.textContent = "Copied";
    });
  }
}

const loading = new Map();
function loaded(address) {
  if (!loading.has(address)) {
    loading.set(address, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    }));
  }
  return loading.get(address);
}

// Only a page with a chart loads what draws it; the interpreter stands in for code made from text, which pages forbid.
async function drawChart() {
  const figure = one("figure.chart");
  if (!figure) return;
  const choice = one("[data-kinds] select");
  for (const address of figure.dataset.scripts.split(" ")) await loaded(address);
  const kind = choice ? choice.value : "";
  const spec = await (await fetch(`${figure.dataset.chart}?kind=${encodeURIComponent(kind)}`)).json();
  await vegaEmbed(one(".drawn", figure), spec, {
    actions: false, ast: true, defaultStyle: false, expr: vegaInterpreter.expressionInterpreter, mode: "vega-lite",
    renderer: "canvas", tooltip: { disableDefaultStyle: true },
  });
  const drawn = one(".drawn", figure);
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", spec.description || "Chart");
  for (const inner of all("[role]", drawn)) { inner.removeAttribute("role"); inner.removeAttribute("aria-label"); inner.removeAttribute("aria-roledescription"); }
  figure.dataset.drawn = kind || "drawn";
}

function prepareChart() {
  const choice = one("[data-kinds] select");
  if (choice) choice.addEventListener("change", drawChart);
  drawChart();
}

function prepare() {
  prepareForms();
  prepareFigures();
  prepareCopy();
  prepareChart();
}

// What came of a run replaces what was there; focus goes to what a person is to read or to answer.
async function refresh() {
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = one("#outcome", page), old = one("#outcome");
  if (!fresh || !old) return;
  const within = document.activeElement === document.body || old.contains(document.activeElement);
  old.replaceWith(document.adoptNode(fresh));
  prepare();
  const heading = one("#question-heading, #answer");
  if (heading && within) heading.focus();
}

function follow(list) {
  let status = one("#outcome").dataset.status;
  const events = new EventSource(list.dataset.events);
  events.onmessage = (event) => {
    if (one(`[data-seq="${event.lastEventId}"]`, list)) return;
    list.insertAdjacentHTML("beforeend", event.data);
  };
  events.addEventListener("status", (event) => {
    const now = JSON.parse(event.data);
    if (now !== status && (now === "running" || now === "waiting")) refresh();
    status = now;
  });
  events.addEventListener("done", () => { events.close(); refresh(); });
}

// Going back in the history shows the page as it was: its forms may be sent again.
window.addEventListener("pageshow", () => { for (const form of all("form[data-once]")) delete form.dataset.sent; });
prepare();
const followed = one("[data-events]");
if (followed) follow(followed);
