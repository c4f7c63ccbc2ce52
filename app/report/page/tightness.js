// How near the observed came to the bound, as a small drawing on one logarithmic scale: a tick per cell, a bar from the
// median to the 95 % quantile, a dot at the largest, a line at 1, where a bound is attained.
const tightnessEnds = [0.02, 50];

function tightnessPlace(value, width) {
  const share = (Math.log10(value) - Math.log10(tightnessEnds[0])) / (Math.log10(tightnessEnds[1]) - Math.log10(tightnessEnds[0]));
  return 5 + Math.min(Math.max(share, 0), 1) * (width - 10);
}

function tightnessWords({q50, q95, max}) {
  return `median ${shortNumber(q50, 3)}, 95 % ${shortNumber(q95, 3)}, largest ${shortNumber(max, 3)}`;
}

function tightnessStrip({tightness, verdict}, cells) {
  const [width, height] = [190, 24];
  const all = {q50: numberOf(tightness.q50), q95: numberOf(tightness.q95), max: numberOf(tightness.max)};
  const at = (value) => tightnessPlace(value, width);
  const picture = drawing('svg', {width, height, viewBox: `0 0 ${width} ${height}`, class: verdict === 'refuted' ? 'strip beyond' : 'strip', role: 'img', 'aria-label': `Tightness: ${tightnessWords(all)}`},
    drawing('title', {}, tightnessWords(all)),
    drawing('path', {class: 'rule', d: `M5 12H${width - 5}`}),
    drawing('path', {class: 'one', d: `M${at(1)} 2V22`}));
  for (const cell of cells) {
    const value = cell.tightness && numberOf(cell.tightness.q50);
    if (finite(value) && value > 0) picture.append(drawing('path', {class: 'tick', d: `M${at(value).toFixed(1)} 8V16`}));
  }
  if (all.q50 > 0) picture.append(drawing('path', {class: 'bar', d: `M${at(all.q50).toFixed(1)} 12H${Math.max(at(all.q95), at(all.q50) + 1).toFixed(1)}`}));
  if (all.max > 0) picture.append(drawing('circle', {class: 'largest', cx: at(all.max).toFixed(1), cy: 12, r: 4}));
  return element('span', {class: 'tightness'}, picture, element('span', {class: 'quiet'}, shortNumber(all.max, 3)));
}

// The same for every cell of one claim.
function tightnessFigure(id, cells) {
  const rows = cells.filter((cell) => cell.tightness).map((cell) => [parameterText(cell.parameters), cell.trials,
    ...['q50', 'q95', 'max'].map((key) => numberOf(cell.tightness[key]))]);
  rows.sort((a, b) => a[4] - b[4]);
  const table = Table.fromRows(['cell', 'trials', 'q50', 'q95', 'max'], rows);
  const index = rows.map((_, i) => i + 1);
  const dots = (name, column, paint, symbol) => ({name, label: name, colour: paint, symbol, marked: true, x: table.column(column), y: index, column});
  const positive = (value) => (value > 0 ? value : null);
  return new Figure({
    id, half: true, title: 'Tightness in every cell', height: Math.min(420, 120 + 9 * rows.length),
    state: () => {
      const apart = rows.some(([, , q50, , max]) => q50 !== max);
      const series = [dots('median', 'q50', 'blue', 'circle'), dots('95 %', 'q95', 'green', 'diamond'), dots('largest', 'max', 'vermilion', 'square')].slice(apart ? 0 : 2);
      return {
        series, table,
        traces: (hidden) => series.filter((one) => !hidden.has(one.name)).map((one) => ({...lineTrace(one), x: one.x.map(positive), text: rows.map((row) => plotText(row[0])),
          hovertemplate: `%{text}<br>${one.name}: %{x:.4~g}<extra></extra>`})),
        layout: () => ({xaxis: {type: 'log', title: 'observed / bound'}, yaxis: {title: 'cells', showticklabels: false, ticks: '', showgrid: false},
          shapes: [{type: 'line', x0: 1, x1: 1, yref: 'paper', y0: 0, y1: 1, line: {color: colour('ink'), width: 1, dash: 'dash'}}]}),
        label: 'Observed over bound for every cell.',
        caption: ['One row per cell, the tightest at the top. At 1, the dashed line, a bound is attained; beyond it is violated. Where the bound is a lower one, the ratio is bound over observed.'],
      };
    },
  });
}
