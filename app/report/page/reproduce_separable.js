// Figure 3: the separable share of every head, its bounds and the law, beside the paper's 0.70 to 0.85.
const paperBand = [0.70, 0.85];
const paperBandFrom = 16;

function meansOver(table, tops, name) {
  return tops.map((top) => mean(table.at(name, table.where({top})).filter(finite)));
}

function separableTraces(table, tops, hidden) {
  const labels = table.column('top').map(String);
  const boxes = {type: 'box', x: labels, y: table.column('separable'), name: 'heads', boxpoints: 'outliers', quartilemethod: 'linear',
    marker: {size: 3, color: colour('blue', 0.6)}, line: {width: 1.3, color: colour('blue')}, fillcolor: colour('blue', 0.2), hoverinfo: 'y'};
  const lines = separableLines(table, tops).filter((series) => !hidden.has(series.name));
  return [...(hidden.has('heads') ? [] : [boxes]), ...lines.map(lineTrace)];
}

function separableLines(table, tops) {
  const x = tops.map(String);
  return [
    {x, name: 'upper bound', colour: 'ink', dash: 'dash', width: 1.4, y: meansOver(table, tops, 'separable_upper')},
    {x, name: 'lower bound', colour: 'ink', dash: 'dot', width: 1.4, y: meansOver(table, tops, 'separable_lower').map((v) => (v < 0 ? NaN : v))},
    {x, name: 'resolution law', colour: 'vermilion', symbol: 'diamond', y: meansOver(table, tops, 'separable_law')},
    {x, name: 'mean over heads', colour: 'purple', symbol: 'circle', y: meansOver(table, tops, 'separable')},
  ];
}

function separableFigure(section) {
  const table = section.tables.figure3;
  const tops = distinct(table.column('top'));
  const shares = meansOver(table, tops, 'separable');
  const from = tops.findIndex((top) => top >= paperBandFrom);
  const settled = from < 0 ? [] : shares.slice(from);
  const inside = settled.filter((share) => share >= paperBand[0] && share <= paperBand[1]).length;
  const figure = new Figure({
    id: `${section.id}-figure3`, half: true, height: 360, title: 'Figure 3. Selected tokens that stay distinguishable',
    state: () => ({
      series: [
        {name: 'heads', label: 'heads', colour: 'blue', low: [0], symbol: 'circle', marked: true},
        ...separableLines(table, tops),
        {name: 'paper: 0.70–0.85', label: 'paper: 0.70–0.85', colour: 'orange', low: [0]},
      ],
      traces: (hidden) => separableTraces(table, tops, hidden),
      table,
      layout: (hidden) => ({
        xaxis: {type: 'category', title: 'selected tokens <i>N</i>', categoryorder: 'array', categoryarray: tops.map(String), showgrid: false},
        yaxis: {title: 'separable share <i>N</i><sub>s</sub>/<i>N</i>', range: [-0.03, 1.06], dtick: 0.2},
        shapes: from < 0 || hidden.has('paper: 0.70–0.85') ? [] : [{type: 'rect', x0: from - 0.5, x1: tops.length - 0.5, y0: paperBand[0], y1: paperBand[1],
          fillcolor: colour('orange', 0.25), line: {width: 0}, layer: 'below'}],
      }),
      label: 'Separable share over N, boxes over heads.',
      caption: from < 0
        ? ['The grid ends before ', math('N'), ' = 16, from where on the paper reports 0.70 to 0.85.']
        : ['From ', math('N'), ` = ${tops[from]} on the mean over heads lies between ${shortNumber(Math.min(...settled), 2)} and ${shortNumber(Math.max(...settled), 2)}, `,
          `inside the paper’s band of 0.70 to 0.85 at ${inside} of ${settled.length} `, math('N'),
          '. Boxes: quartiles over heads, whiskers to 1.5 IQR. Where the lower bound leaves the plot it is below 0 and says nothing.'],
    }),
  });
  return figure;
}
