// What sweep wrote: pooled cells of a grid.
function sweepSection(section) {
  const table = section.tables.cells;
  if (!table || table.rows === 0) return [];
  const explorer = new Explorer({id: `${section.id}-explorer`, title: 'The grid', table, axes: section.axes, quantities: section.quantities,
    first: section.quantities.includes('separable') ? 'separable' : section.quantities[0]});
  return [{id: `${section.id}-cells`, title: 'Cells', node: element('div', {}, explorer.node, numbersFile(`${section.id}-cells`, table, 'cells.csv'))}];
}
