// Layer × head: one cell per head, in the colour of its value. A click, or the pickers, choose a head.

// Values of a quantity by layer and head at some rows of heads.csv.
function headGrid(table, rows, key) {
  const layers = distinct(table.column('layer'));
  const heads = distinct(table.column('head'));
  const values = layers.map(() => heads.map(() => null));
  const layerAt = new Map(layers.map((layer, i) => [layer, i]));
  const headAt = new Map(heads.map((head, i) => [head, i]));
  for (const row of rows) {
    values[layerAt.get(table.column('layer')[row])][headAt.get(table.column('head')[row])] = table.column(key)[row];
  }
  return {layers, heads, values};
}

function headMapTraces({layers, heads, values}, key, chosen) {
  const shown = values.map((row) => row.map((value) => (finite(value) ? value : null)));
  const map = {type: 'heatmap', x: heads, y: layers, z: shown, colorscale: 'Cividis', xgap: 1, ygap: 1,
    colorbar: {thickness: 12, outlinewidth: 0, tickfont: {color: colour('ink')}, len: 0.96},
    hovertemplate: `layer %{y}, head %{x}<br>${plotText(quantityName(key))}: %{z:.4~g}<extra></extra>`};
  const mark = {type: 'scatter', mode: 'markers', x: [chosen.head], y: [chosen.layer], hoverinfo: 'skip',
    marker: {symbol: 'square-open', size: 17, color: colour('vermilion'), line: {width: 3}}};
  return [map, mark];
}

function headMapLayout({layers, heads}) {
  const few = (values) => (values.length <= 16 ? 1 : Math.ceil(values.length / 12));
  return {
    xaxis: {title: 'head', range: [Math.min(...heads) - 0.5, Math.max(...heads) + 0.5], dtick: few(heads), showgrid: false, ticks: '', constrain: 'domain'},
    yaxis: {title: 'layer', dtick: few(layers), showgrid: false, ticks: '', range: [Math.max(...layers) + 0.5, Math.min(...layers) - 0.5]},
    margin: {l: 50, r: 8, t: 10, b: 46},
  };
}

// What stands out on a map, in words.
function headMapSays({layers, heads, values}, key) {
  const all = layers.flatMap((layer, i) => heads.map((head, j) => ({layer, head, value: values[i][j]}))).filter(({value}) => finite(value));
  if (all.length === 0) return ['Not defined here.'];
  all.sort((a, b) => a.value - b.value);
  const place = ({layer, head, value}) => `layer ${layer}, head ${head} (${shortNumber(value, 3)})`;
  return [`Lowest: ${place(all[0])}; highest: ${place(all.at(-1))}; median ${shortNumber(quantile(all.map(({value}) => value), 0.5), 3)}.`];
}
