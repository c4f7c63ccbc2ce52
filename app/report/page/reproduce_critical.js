// Figure 2c: the critical N, beside the paper's 0.06·L.
const paperCriticalShare = 0.06;

function criticalSeries(table, tried, against, look) {
  const rows = table.where({against});
  const lengths = table.at('length', rows);
  const tops = table.at('critical_top', rows);
  const found = {...look, x: lengths, y: tops.map((top) => top ?? NaN)};
  if (table.has('critical_top_smallest')) {
    const ends = (name) => table.at(name, rows).map((end, i) => end ?? tops[i]);
    found.barLow = ends('critical_top_smallest');
    found.barHigh = ends('critical_top_largest');
  }
  const none = lengths.filter((_, i) => tops[i] === null);
  if (none.length === 0) return [found];
  return [found, {name: `${look.name}: none up to here`, label: ['none up to here'], colour: look.colour, marked: true, symbol: 'triangle-up-open',
    x: none, y: none.map((length) => tried[length] ?? length - 1)}];
}

function criticalFigure(section) {
  const table = section.tables.figure2c;
  const lengths = distinct(table.column('length'));
  const longest = lengths.at(-1);
  const at = (against) => table.column('ratio')[table.where({against, length: longest})[0]];
  const share = at('expected_full');
  const said = (value) => (value === null || value === undefined ? 'none was found' : [math('N'), ` = ${shortNumber(value, 2)}·`, math('L')]);
  return new Figure({
    id: `${section.id}-figure2c`, half: true, height: 360, title: 'Figure 2c. Critical number of selected tokens',
    state: () => ({
      series: [
        {name: 'paper: 0.06·L', label: ['paper: 0.06 ', math('L')], colour: 'orange', dash: 'dash', x: lengths, y: lengths.map((l) => paperCriticalShare * l)},
        ...criticalSeries(table, section.run?.critical_tops ?? {}, 'expected_full', {name: 'against E₁', label: ['against ', math('E_1')], colour: 'vermilion', symbol: 'square'}),
        ...criticalSeries(table, section.run?.critical_tops ?? {}, 'expected', {name: 'against E₀', label: ['against ', math('E_0')], colour: 'green', symbol: 'diamond'}),
      ],
      table,
      layout: () => ({xaxis: gridAxis(lengths, 'context length <i>L</i>'), yaxis: logAxis([...table.column('critical_top'), ...lengths.map((l) => paperCriticalShare * l)], 'critical <i>N</i>')}),
      label: 'Critical N over the context length.',
      caption: ['The smallest ', math('N'), ' at which a Kolmogorov–Smirnov test no longer tells the heads’ distance from their expectation. At ', math('L'),
        ` = ${shortNumber(longest)}: `, said(share), ' against ', math('E_1'), ', ', said(at('expected')), ' against ', math('E_0'),
        '. The paper reports about ', math('0.06 L'), '.'],
    }),
  });
}
