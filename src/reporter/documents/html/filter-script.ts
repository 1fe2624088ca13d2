/**
 * Script that filters the tables of a report in the browser. A form names its table in `data-filters`. Each field but `text` is compared
 * with the attribute `data-<name>` of a row. The script creates no markup. For print it unfolds all details.
 *
 * The fragment of the address can choose filters by their names and labels, as in `#kind=new&format=Video`. A label that is not offered is
 * searched for.
 */
export const filterScript = `
'use strict';
const asked = new URLSearchParams(location.hash.slice(1));
for (const form of document.querySelectorAll('form[data-filters]')) {
  const table = document.getElementById(form.dataset.filters);
  const shown = document.getElementById(form.dataset.filters + '-shown');
  const rows = Array.from(table.tBodies[0].rows, (row) => ({ row, text: row.textContent.toLowerCase() }));
  const names = new Set(Array.from(form.elements, (field) => field.name).filter((name) => name !== '' && name !== 'text'));
  const apply = () => {
    const chosen = new FormData(form);
    const words = String(chosen.get('text') || '').toLowerCase().split(' ').filter(Boolean);
    let count = 0;
    for (const { row, text } of rows) {
      const matches =
        Array.from(names).every((name) => chosen.getAll(name).some((value) => value === '' || value === row.dataset[name])) &&
        words.every((word) => text.includes(word));
      row.hidden = !matches;
      if (matches) count += 1;
    }
    shown.textContent = count === rows.length ? '' : form.dataset.message.replace('#', count.toLocaleString('en-US'));
  };
  form.addEventListener('input', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  let isAsked = false;
  for (const field of form.elements) {
    const values = asked.getAll(field.name).map((value) => value.toLowerCase());
    if (field.name === '' || values.length === 0) continue;
    isAsked = true;
    if (field.type === 'checkbox') field.checked = values.includes(field.value);
    else if (field.type === 'search') field.value = values.join(' ');
    else {
      const option = Array.from(field.options).find(({ text }) => values.includes(text.toLowerCase()));
      if (option === undefined) form.elements.text.value += ' ' + values[0];
      else field.value = option.value;
    }
  }
  apply();
  if (isAsked) form.scrollIntoView();
}
let folded = [];
addEventListener('beforeprint', () => {
  folded = Array.from(document.querySelectorAll('details:not([open])'));
  for (const details of folded) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of folded) details.open = false;
});
`;
