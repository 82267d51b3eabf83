"use strict";
// The page is complete without this: it only hides the blocks that lack the words in the search field.
const field = document.getElementById("words");
const told = document.getElementById("found");
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
  told.textContent = wanted ? `${found} found` : "";
}
field.addEventListener("input", search);
field.closest("label").hidden = false;
search();
