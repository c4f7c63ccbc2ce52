// Figures 2a and 2b: the distance of the selected tokens, its expectation and its bounds, over L or over N.

function withSpread(table, name, look) {
  const y = table.column(name);
  const sd = table.column(`${name}_sd`);
  const series = {...look, y, x: table.column(look.along), low: y.map((v, i) => v - sd[i]), high: y.map((v, i) => v + sd[i])};
  // A logarithmic axis has no place below 0: the band then reaches down to the axis.
  series.low = series.low.map((v, i) => (v > 0 ? v : y[i] / 1000));
  if (table.has(`${name}_ci_low`)) {
    series.barLow = table.column(`${name}_ci_low`);
    series.barHigh = table.column(`${name}_ci_high`);
  }
  return series;
}

function distanceSeries(table, along) {
  const plain = (name, look) => ({...look, x: table.column(along), y: table.column(name)});
  const named = (text, formula) => [text, ' ', formula];
  return [
    plain('distance_upper', {name: 'printed bound of D', label: named('printed bound of', math('D')), colour: 'ink', dash: 'dash', width: 1.4}),
    {...plain('distance_upper_sharp', {name: 'sharp bounds of D', label: named('sharp bounds of', math('D')), colour: 'blue', dash: 'dot', width: 1.4}),
      also: 'distance_lower_sharp'},
    withSpread(table, 'expected_full', {along, name: 'E₁', label: math('E_1'), colour: 'vermilion', symbol: 'square'}),
    withSpread(table, 'expected', {along, name: 'E₀', label: math('E_0'), colour: 'green', symbol: 'diamond'}),
    withSpread(table, 'distance', {along, name: 'D of the top N', label: named('', math('D')), colour: 'blue', symbol: 'circle'}),
  ];
}

// The sharp bounds are one entry of the legend and two lines.
function bothBounds(series, table) {
  return series.flatMap((one) => (one.also ? [one, {...one, y: table.column(one.also)}] : [one]));
}

function distanceFigure(section, name, along) {
  const table = section.tables[name];
  const other = along === 'length' ? 'top' : 'length';
  const fixed = table.column(other)[0];
  const last = table.rows - 1;
  const value = (column, row) => shortNumber(table.column(column)[row], 3);
  const meeting = table.column('distance').findIndex((d, i) => d >= 0.9 * table.column('expected_full')[i]);
  const says = along === 'length'
    ? ['From ', math('L'), ` = ${table.column('length')[0]} to ${table.column('length')[last]}, `, math('D'), ` goes from ${value('distance', 0)} to ${value('distance', last)}, `,
      math('E_1'), ` from ${value('expected_full', 0)} to ${value('expected_full', last)} and `, math('E_0'), ` from ${value('expected', 0)} to ${value('expected', last)}. `,
      'The paper reports a distance and an expectation that grow roughly linearly, and a bound that is safe but loose; its expectation is what ', math('E_1'), ' gives. ']
    : ['Beyond ', math('N'), ' = 20 the paper reports a distance that flattens and, near 100, meets the expectation. Here ', math('D'), ' ',
      meeting < 0 ? ['does not come within 10 % of ', math('E_1'), ' on this grid. '] : ['is within 10 % of ', math('E_1'), ' from ', math('N'), ` = ${table.column('top')[meeting]} on. `]];
  return new Figure({
    id: `${section.id}-${name}`, half: true, height: 360,
    title: along === 'length' ? `Figure 2a. Distance as the context grows, N = ${fixed}` : `Figure 2b. Distance as the selection grows, L = ${shortNumber(fixed)}`,
    state: () => {
      const series = distanceSeries(table, along);
      return {
        series, table,
        traces: (hidden) => seriesTraces(bothBounds(series, table), hidden),
        layout: () => ({xaxis: gridAxis(table.column(along), along === 'length' ? 'context length <i>L</i>' : 'selected tokens <i>N</i>'),
          yaxis: logAxis(['distance', 'expected', 'expected_full', 'distance_upper', 'distance_lower_sharp'].flatMap((name) => table.column(name)), 'cumulative distance')}),
        label: 'Distance, expectation and bounds.',
        caption: [...says, 'Shaded: one standard deviation over the heads', table.has('distance_ci_low') ? '; bars: 95 % interval of the mean over windows.' : '.'],
      };
    },
  });
}
