// What sweep wrote: pooled cells of a grid.
function sweepCards(section) {
  const {counts, constants} = section;
  const total = counts.done + counts.begun + counts.missing + counts.failed;
  const trials = section.tables.cells.column('trials');
  const [least, most] = extent(trials);
  return element('div', {}, element('div', {class: 'cards'},
    card(shortNumber(total), 'cells', counts.done === total ? 'all done' : `${shortNumber(counts.done)} done`),
    ...section.axes.map((name) => {
      const values = axisValues(section.tables.cells.column(name));
      const texts = typeof values[0] !== 'number';
      const words = texts ? values.slice(0, 4).map((value) => section.short[value] ?? value).join(', ') + (values.length > 4 ? ' …' : '') : `${shortNumber(values[0])} to ${shortNumber(values.at(-1))}`;
      return card(shortNumber(values.length), `values of ${axisName(name)}`, words);
    }),
    trials.length > 0 && most > 1 && card(least === most ? shortNumber(most) : `${shortNumber(least)}–${shortNumber(most)}`, 'trials per cell')),
  Object.keys(constants).length > 0 && element('p', {class: 'quiet'}, 'Everywhere: ', Object.entries(constants).map(([name, value]) => `${name} = ${value}`).join(', '), '.'));
}

function sweepSection(section) {
  const {cells, records} = section.tables;
  if (records && records.rows > 0) {
    return [{id: `${section.id}-records`, title: 'Records', node: element('div', {}, numbersTable(records), numbersFile(`${section.id}-records`, records, 'records.csv'))}];
  }
  if (!cells || cells.rows === 0) return [];
  const {axes, quantities: measured, said} = section;
  const all = element('div', {}, sweepCards(section));
  if (axes.length === 0) {
    all.append(numbersTable(cells));
  } else if (measured.length + said.length > 0) {
    all.append(new Explorer({id: `${section.id}-explorer`, title: 'The grid', table: cells, axes, quantities: measured, said, shorter: section.short,
      first: ['verdict', 'separable'].find((name) => said.includes(name) || measured.includes(name))}).node);
  }
  all.append(numbersFile(`${section.id}-cells`, cells, 'cells.csv'));
  return [{id: `${section.id}-sweep`, title: 'The sweep', node: all}];
}
