"use strict";
// Optional: hides the blocks without the words in the search field.
const field = document.getElementById("words");
const counter = document.getElementById("found");
const items = [...document.querySelectorAll(".blocks > li")];
const fold = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
const texts = items.map((item) => fold(item.querySelector(".text").textContent));
function search() {
  const wanted = fold(field.value);
  let found = 0;
  items.forEach((item, place) => {
    item.hidden = !texts[place].includes(wanted);
    found += !item.hidden;
  });
  counter.textContent = wanted ? `${found} found` : "";
}
field.addEventListener("input", search);
field.closest("label").hidden = false;
search();
