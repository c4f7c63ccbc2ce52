// The frontier: the margin a token needs to get a weight, and the sensitivity there, by the closed forms.
function frontierFigure(id, {curves, shorter, name, title, rows, along, across, layout, caption}) {
  const normalizers = axisValues(curves.column('normalizer'));
  // The file has the curves along weights and along contexts one after the other; they cross in a row of both.
  const order = curves.column(along === 'length' ? 'length' : 'weight');
  return new Figure({
    id: `${id}-${name}`, half: true, height: 420, title,
    state: () => ({
      series: normalizers.map((normalizer, index) => {
        const own = rows.filter((row) => curves.column('normalizer')[row] === normalizer && finite(curves.column(along)[row]) && finite(curves.column(across)[row])).sort((a, b) => order[a] - order[b]);
        return {name: shorter[normalizer] ?? normalizer, ...lookOf(index), symbol: undefined, x: curves.at(along, own), y: curves.at(across, own)};
      }),
      table: curves.part(['normalizer', 'length', 'weight', 'margin', 'jacobian_norm'], rows),
      layout, label: title, caption,
    }),
  });
}

// Both figures of curves along weights at the longest context, and along contexts at a middle weight.
function frontierFigures(id, curves, {length, middle, shorter, temperature = 1}) {
  const figures = [frontierFigure(id, {curves, shorter, name: 'frontier', title: `Selectivity and sensitivity at n = ${shortNumber(length)}`, rows: curves.where({length}), along: 'margin', across: 'jacobian_norm',
    layout: () => ({xaxis: {title: 'margin needed (logits)', range: [0, 1.6 * temperature * Math.log(100 * length)]}, yaxis: {type: 'log', title: 'sensitivity ‖<i>J</i>‖<sub>2</sub>', dtick: 1, range: [-3 - Math.log10(temperature), 1 - Math.log10(temperature)]}}),
    caption: ['Each curve goes through the weights of one token ahead of equal others. The further left, the more selective a normalizer is; the lower, the calmer. A weight that cannot be reached ends its curve; what lies further out than 1.6 times softmax’s margin for 0.99 is left out here and stands in the numbers.']})];
  if (middle !== undefined) {
    figures.push(frontierFigure(id, {curves, shorter, name: 'margin', title: `Margin for weight ${middle} as the context grows`, rows: curves.where({weight: middle}), along: 'length', across: 'margin',
      layout: () => ({xaxis: {type: 'log', title: 'tokens <i>n</i>', dtick: 1}, yaxis: {title: 'margin needed (logits)', range: [0, 1.3 * temperature * Math.log(2 ** 20 * Math.max(1, middle / (1 - Math.min(middle, 0.999))))]}}),
      caption: ['Softmax needs a margin that grows like ', math('T log n'), '; a curve that stays flat keeps its selectivity at any length. What needs far more than softmax leaves the plot and stands in the numbers.']}));
  }
  return figures;
}

function frontierSection(section) {
  const {curves, frontier} = section.tables;
  const parts = [];
  if (curves) {
    const longest = Math.max(...curves.column('length').filter((length) => curves.where({length}).length > 40 * axisValues(curves.column('normalizer')).length));
    const length = Number.isFinite(longest) ? longest : Math.max(...(section.run?.lengths ?? curves.column('length')));
    const weights = section.run?.weights ?? [];
    const figures = frontierFigures(section.id, curves, {length, middle: weights[Math.floor(weights.length / 2)], shorter: section.short, temperature: section.run?.temperature ?? 1});
    parts.push({id: `${section.id}-curves`, title: 'The frontier', node: element('div', {class: 'figures'}, figures.map((figure) => figure.node))});
  }
  if (frontier) {
    parts.push({id: `${section.id}-points`, title: 'Points', node: element('div', {}, numbersTable(frontier), numbersFile(`${section.id}-points`, frontier, 'frontier.csv'))});
  }
  return parts;
}
