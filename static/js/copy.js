// Puts a Copy button behind every field marked data-copy. Without this script the field can be selected by hand.
for (const field of document.querySelectorAll("input[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-quiet";
  button.textContent = "Copy";
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = "Copied";
    } catch {
      field.select();
      status.textContent = "Selected: press Ctrl+C";
    }
  });
  field.after(button, status);
}
