// What frontier wrote: the margin a token needs to get a weight, and the sensitivity there.
function frontierFigure(section, {name, title, rows, along, across, layout, caption}) {
  const table = section.tables.curves;
  const normalizers = axisValues(table.column('normalizer'));
  return new Figure({
    id: `${section.id}-${name}`, half: true, height: 420, title,
    state: () => ({
      series: normalizers.map((normalizer, index) => {
        const own = rows.filter((row) => table.column('normalizer')[row] === normalizer && finite(table.column(along)[row]) && finite(table.column(across)[row]));
        return {name: normalizer, ...lookOf(index), symbol: undefined, x: table.at(along, own), y: table.at(across, own)};
      }),
      table: table.part(['normalizer', 'length', 'weight', 'margin', 'jacobian_norm'], rows),
      layout, label: title, caption,
    }),
  });
}

function frontierSection(section) {
  const {curves, frontier} = section.tables;
  const parts = [];
  if (curves) {
    const longest = Math.max(...curves.column('length').filter((length) => curves.where({length}).length > 40 * axisValues(curves.column('normalizer')).length));
    const length = Number.isFinite(longest) ? longest : Math.max(...(section.run?.lengths ?? curves.column('length')));
    const weights = section.run?.weights ?? [];
    const middle = weights[Math.floor(weights.length / 2)];
    const figures = [frontierFigure(section, {name: 'frontier', title: `Selectivity and sensitivity at n = ${shortNumber(length)}`, rows: curves.where({length}), along: 'margin', across: 'jacobian_norm',
      layout: () => ({xaxis: {type: 'log', title: 'margin needed'}, yaxis: {type: 'log', title: 'sensitivity ‖<i>J</i>‖<sub>2</sub>', dtick: 1}}),
      caption: ['Each curve goes through the weights of one token ahead of equal others. The further left, the more selective a normalizer is; the lower, the calmer. A weight that cannot be reached ends its curve.']})];
    if (middle !== undefined) {
      figures.push(frontierFigure(section, {name: 'margin', title: `Margin for weight ${middle} as the context grows`, rows: curves.where({weight: middle}), along: 'length', across: 'margin',
        layout: () => ({xaxis: {type: 'log', title: 'tokens <i>n</i>', dtick: 1}, yaxis: {type: 'log', title: 'margin needed'}}),
        caption: ['Softmax needs a margin that grows like ', math('T log n'), '; a curve that stays flat keeps its selectivity at any length.']}));
    }
    parts.push({id: `${section.id}-curves`, title: 'The frontier', node: element('div', {class: 'figures'}, figures.map((figure) => figure.node))});
  }
  if (frontier) {
    parts.push({id: `${section.id}-points`, title: 'Points', node: element('div', {}, numbersTable(frontier), numbersFile(`${section.id}-points`, frontier, 'frontier.csv'))});
  }
  return parts;
}
