// The numbers of a figure: a table that is built when it is opened, and a CSV file with all digits.
const rowsAtFirst = 200;

function numbersTable(table) {
  const box = element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Numbers of this figure'});
  const show = (rows) => {
    const body = element('tbody');
    for (let row = 0; row < rows; ++row) {
      body.append(element('tr', {}, table.row(row).map((value) =>
        element('td', {class: typeof value === 'number' ? 'number' : null, title: exactNumber(value)}, shortNumber(value, 5)))));
    }
    const head = element('tr', {}, table.columns.map((name) => element('th', {scope: 'col'}, name)));
    const more = rows < table.rows && element('button', {type: 'button', onclick: () => show(table.rows)},
      `Show all ${table.rows.toLocaleString('en')} rows`);
    replaceChildren(box, element('table', {class: 'numbers'}, element('thead', {}, head), body), more);
  };
  show(Math.min(table.rows, rowsAtFirst));
  return box;
}

// table() gives the table as the figure is now.
function numbersPanel(fileName, table) {
  const inside = element('div');
  const panel = element('details', {class: 'numbers', ontoggle: () => refresh()}, element('summary', {}, 'Numbers'), inside);
  const refresh = () => {
    if (panel.open) replaceChildren(inside, numbersTable(table()));
  };
  const button = element('button', {type: 'button', class: 'download',
    onclick: () => download(`${fileName}.csv`, csvText(table()), 'text/csv')}, 'Download CSV');
  return {node: element('div', {class: 'numbers-bar'}, panel, button), refresh};
}
