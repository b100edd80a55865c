// What pages do beyond forms and links. Every page works without it.
"use strict";

// After a part of a page was swapped in, focus goes to what asks for it, so that a keyboard or a screen reader follows.
document.addEventListener("htmx:after:swap", () => {
  const asked = document.querySelector("[data-focus]");
  if (asked) { asked.removeAttribute("data-focus"); asked.focus(); }
});
