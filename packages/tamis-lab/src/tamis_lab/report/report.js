// Sorting is an addition: without it the tables stay as they were written, the best first.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
      const compare = (one, other) => {
        const [a, b] = [value(one), value(other)];
        const byNumber = Number(a) - Number(b);
        return Number.isNaN(byNumber) ? a.localeCompare(b) : byNumber;
      };
      const rows = [...table.tBodies[0].rows].sort((one, other) => (down ? compare(other, one) : compare(one, other)));
      table.tBodies[0].append(...rows);
    });
  });
}
