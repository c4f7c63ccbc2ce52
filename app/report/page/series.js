// Lines with their bands and bars, as traces of Plotly and as swatches of a legend.
// A series: {name, x, y, colour, dash, symbol, width, low, high (band), barLow, barHigh, marked, solid (an area)}

const dashes = {solid: '', dash: '6 4', dot: '2 3'};

function bandTraces(series) {
  if (!series.low) return [];
  const edge = {x: series.x, mode: 'lines', line: {width: 0}, hoverinfo: 'skip', connectgaps: false};
  return [{...edge, y: series.low}, {...edge, y: series.high, fill: 'tonexty',
    fillcolor: colour(series.colour, series.opacity ?? 0.16)}];
}

function lineTrace(series) {
  const paint = colour(series.colour);
  const trace = {
    name: plotText(series.name), x: series.x, y: series.y, mode: series.symbol ? 'lines+markers' : 'lines',
    line: {color: paint, width: series.width ?? 2, dash: series.dash ?? 'solid'},
    hovertemplate: series.hover ?? `${plotText(series.name)}<br>%{x}: %{y:.4~g}<extra></extra>`,
  };
  if (series.marked) trace.mode = 'markers';
  if (series.symbol) trace.marker = {symbol: series.symbol, size: 7, color: paint};
  if (series.barLow) {
    trace.error_y = {type: 'data', symmetric: false, color: paint, thickness: 1.2, width: 3,
      array: series.y.map((y, i) => series.barHigh[i] - y), arrayminus: series.y.map((y, i) => y - series.barLow[i])};
  }
  return trace;
}

function seriesTraces(all, hidden) {
  const shown = all.filter((series) => !hidden.has(series.name));
  return [...shown.flatMap(bandTraces), ...shown.filter((series) => series.y).map(lineTrace)];
}

const markerShapes = {
  circle: () => drawing('circle', {cx: 13, cy: 7, r: 3.4}),
  square: () => drawing('rect', {x: 9.8, y: 3.8, width: 6.4, height: 6.4}),
  diamond: () => drawing('path', {d: 'M13 2.6 17.4 7 13 11.4 8.6 7Z'}),
  'triangle-up-open': () => drawing('path', {d: 'M13 3 17 10.5 9 10.5Z', fill: 'none', 'stroke-width': 1.4}),
  'triangle-up': () => drawing('path', {d: 'M13 3 17 10.5 9 10.5Z'}),
};

function swatch(series) {
  const picture = drawing('svg', {width: 26, height: 14, 'aria-hidden': 'true', class: `swatch ink-${series.colour}`});
  if (series.low) picture.append(drawing('rect', {x: 0, y: 1, width: 26, height: 12, opacity: series.solid ? 1 : 0.22}));
  if (series.y && !series.marked) {
    picture.append(drawing('path', {d: 'M1 7H25', 'stroke-width': series.width ?? 2,
      'stroke-dasharray': dashes[series.dash ?? 'solid']}));
  }
  if (series.symbol) picture.append((markerShapes[series.symbol] ?? markerShapes.circle)());
  return picture;
}

// A button per series that hides and shows it.
function seriesLegend(all, hidden, onchange) {
  return element('div', {class: 'legend'}, all.map((series) => element('button', {
    type: 'button', 'aria-pressed': String(!hidden.has(series.name)), title: 'Hide or show',
    onclick: (event) => {
      if (!hidden.delete(series.name)) hidden.add(series.name);
      event.currentTarget.setAttribute('aria-pressed', String(!hidden.has(series.name)));
      onchange();
    },
  }, swatch(series), element('span', {}, series.label ?? series.name))));
}
