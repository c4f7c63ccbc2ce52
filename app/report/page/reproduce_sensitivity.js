// Figure 4: how far the weights move per step in the logits, beside the paper's 1/(4T).
const stepColours = ['blue', 'green', 'vermilion', 'sky', 'ink'];
const stepSymbols = ['circle', 'diamond', 'square', 'triangle-up'];

function sensitivityFigure(section) {
  const table = section.tables.figure4;
  const steps = distinct(table.column('epsilon'));
  const temperatures = distinct(table.column('temperature'));
  const norms = table.at('jacobian_norm', table.where({epsilon: steps[0]}));
  const printed = table.at('bound_printed', table.where({epsilon: steps[0]}));
  const above = norms.filter((norm, i) => norm > printed[i] * (1 + 1e-9)).length;
  return new Figure({
    id: `${section.id}-figure4`, half: true, height: 360, title: 'Figure 4. Sensitivity of the weights to the logits',
    state: () => {
      const at = (name, step) => ({x: table.at('temperature', table.where({epsilon: step})), y: table.at(name, table.where({epsilon: step}))});
      const byStep = steps.map((step, i) => {
        const rows = table.where({epsilon: step});
        const own = {name: `ε = ${shortNumber(step)}`, label: [math('ε'), ` = ${shortNumber(step)}`], colour: stepColours[i % stepColours.length], symbol: stepSymbols[i % stepSymbols.length], ...at('g', step)};
        if (table.has('g_ci_low')) {
          own.low = table.at('g_ci_low', rows);
          own.high = table.at('g_ci_high', rows);
        }
        return own;
      });
      const worst = {name: 'worst directions', colour: 'quiet', dash: 'dash', width: 1.4};
      const series = [
        {name: 'paper: min{1/(4T), √2}', label: ['paper: ', math('min { 1 / 4 T ,', root('2'), '}')], colour: 'orange', dash: 'dash', ...at('bound_printed', steps[0])},
        {name: 'sharp: 1/(2T)', label: ['sharp: ', math('1 / 2 T')], colour: 'ink', dash: 'dot', width: 1.6, x: temperatures, y: temperatures.map((t) => 1 / (2 * t))},
        {name: '‖J‖₂', label: math('‖ J ‖_2'), colour: 'purple', ...at('jacobian_norm', steps[0])},
        ...byStep, {...worst, y: [], x: []},
      ];
      // One entry of the legend, a line per step in the colour of its step.
      const worstLines = steps.map((step, i) => ({...worst, colour: byStep[i].colour, hover: `${plotText(byStep[i].name)}, worst direction<br>%{x}: %{y:.4~g}<extra></extra>`, ...at('g_worst', step)}));
      return {
        series,
        traces: (hidden) => seriesTraces([...worstLines, ...series], hidden),
        table,
        layout: () => ({xaxis: {type: 'log', title: 'temperature <i>T</i>', dtick: 1}, yaxis: {type: 'log', title: 'sensitivity <i>g</i>(<i>T</i>, <i>ε</i>)', dtick: 1}}),
        label: 'Sensitivity over the temperature.',
        caption: ['Mean over queries, the largest of all heads. The paper’s curves follow ', math('1 / T'), ' below 0.1 and fall by two orders from ', math('T'), ' = 1 on; its bound ',
          math('1 / 4 T'), ' is for single entries of the Jacobian: ', math('‖ J ‖_2'), ` exceeds it at ${above} of ${norms.length} temperatures. A random direction shows less than the worst one.`],
      };
    },
  });
}
