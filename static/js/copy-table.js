// Puts "Copy as TSV" behind every table region, for pasting into a spreadsheet. The CSV link does the same without scripts.
const textOf = (cell) => cell.innerText.replace(/\s+/g, " ").trim();
const rowsOf = (table) => [...table.rows].map((row) => [...row.cells].map(textOf).join("\t")).join("\n");

if (navigator.clipboard) {
  for (const region of document.querySelectorAll(".table-region[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-quiet";
    button.textContent = "Copy table as TSV";
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(rowsOf(region.querySelector("table")));
        status.textContent = " Copied";
      } catch {
        status.textContent = " The browser refused";
      }
    });
    const line = document.createElement("p");
    line.className = "table-note";
    line.append(button, status);
    region.after(line);
  }
}
