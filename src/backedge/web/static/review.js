// Keys of the review pages: a, f, r, s decide, n goes on. Every page works without it.
"use strict";

const typing = (node) => node instanceof HTMLElement && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing(event.target)) return;
  if (event.key === "n") {
    const next = document.querySelector("a[data-next]");
    if (next) next.click();
    return;
  }
  const asked = document.querySelector(`[data-decide] [data-key="${CSS.escape(event.key)}"]`);
  if (!asked) return;
  event.preventDefault();
  if (asked.tagName === "SUMMARY") {
    asked.parentElement.open = true;
    asked.parentElement.querySelector("textarea").focus();
    return;
  }
  const needed = asked.dataset.needs && document.getElementById(asked.dataset.needs);
  if (needed && !needed.value.trim()) needed.focus();
  else asked.click();
});

// A form is sent once: the second press of a button does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));

const refused = document.getElementById("refused");
if (refused) refused.focus();
