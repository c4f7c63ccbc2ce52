// The input or the cell at which a claim came closest to failing, or failed most.

const parameterNames = {length: 'L', dim: 'd', top: 'N', temperature: 'T', epsilon: 'ε', sigma: 'σ'};

function parameterText(parameters) {
  return Object.entries(parameters ?? {}).map(([key, value]) => `${parameterNames[key] ?? key} = ${typeof value === 'number' ? shortNumber(value) : value}`).join(', ');
}

const sameParameters = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Logits and weights of a saved input, token by token.
function inputFigure(id, title, input) {
  const largest = Math.max(...input.logits);
  const tokens = input.logits.map((_, i) => i + 1);
  const columns = ['token', 'logit', 'weight', ...(input.direction ? ['direction'] : [])];
  const coordinates = input.vectors ? Array.from({length: input.dim}, (_, c) => `x${c + 1}`) : [];
  const rows = tokens.map((token, i) => [token, input.logits[i], input.weights[i], ...(input.direction ? [input.direction[i]] : []),
    ...coordinates.map((_, c) => input.vectors[i * input.dim + c])]);
  const table = Table.fromRows([...columns, ...coordinates], rows);
  return new Figure({
    id, half: true, title, height: 260,
    state: () => ({
      series: [{name: 'weights', colour: 'blue', low: [0]}, {name: 'logits', colour: 'vermilion', symbol: 'diamond', marked: true}],
      traces: (hidden) => [
        {type: 'bar', x: tokens, y: input.weights, marker: {color: colour('blue', 0.55)}, hovertemplate: 'token %{x}: weight %{y:.6~g}<extra></extra>', visible: !hidden.has('weights'), width: tokens.length < 6 ? 0.4 : 0.8},
        {x: tokens, y: input.logits.map((logit) => logit - largest), mode: 'markers', yaxis: 'y2', marker: {color: colour('vermilion'), symbol: 'diamond', size: 9}, text: input.logits.map((logit) => shortNumber(logit, 6)), hovertemplate: 'token %{x}: logit %{text}<extra></extra>', visible: !hidden.has('logits')},
      ],
      layout: () => ({xaxis: {title: 'token', dtick: Math.max(1, Math.ceil(tokens.length / 12)), showgrid: false}, yaxis: {title: 'weight', rangemode: 'tozero'},
        yaxis2: {title: 'logit below the largest', tickmode: 'auto', nticks: 5, overlaying: 'y', side: 'right', showgrid: false}, margin: {l: 56, r: 56, t: 10, b: 46}}),
      table, label: 'Logits and weights of the input.',
      caption: [`${input.normalizer}, `, math('T'), ` = ${shortNumber(input.temperature)}`, input.epsilon !== undefined && [', step ', math('ε'), ` = ${shortNumber(input.epsilon)}`],
        input.dim !== undefined && `, vectors of ${input.dim} dimensions (${input.vectors ? 'in the numbers' : 'in the file alone'})`,
        `: observed ${shortNumber(input.observed, 6)} for a bound of ${shortNumber(input.bound, 6)}, evaluated in 168 bits.`],
    }),
  });
}

// Observed against bound in every cell of an expectation claim, the worst one marked.
function testedMeansFigure(id, cells, worst) {
  const rows = cells.flatMap((cell) => (cell.tests ?? []).map((test) => [parameterText(cell.parameters), test.name, numberOf(test.observed.mean), numberOf(test.observed.se),
    numberOf(test.bound.mean), numberOf(test.bound.se), numberOf(test.p_value), sameParameters(cell.parameters, worst.parameters) && test.name === worst.test]));
  if (rows.length === 0) return null;
  const table = Table.fromRows(['cell', 'test', 'observed', 'observed_se', 'bound', 'bound_se', 'p_value'], rows.map((row) => row.slice(0, 7)));
  const points = (wanted, name, paint, symbol, size) => {
    const chosen = rows.filter((row) => row[7] === wanted);
    return {name, x: chosen.map((row) => row[4]), y: chosen.map((row) => row[2]), mode: 'markers', marker: {color: colour(paint), symbol, size},
      error_y: {type: 'data', array: chosen.map((row) => 2 * row[3]), color: colour(paint), thickness: 1, width: 0}, text: chosen.map((row) => plotText(`${row[0]}\n${row[1]}`).replace(/\n/, '<br>')),
      hovertemplate: '%{text}<br>observed %{y:.4~g} for %{x:.4~g}<extra></extra>'};
  };
  const ends = [Math.min(...rows.map((row) => Math.min(row[2], row[4]))), Math.max(...rows.map((row) => Math.max(row[2], row[4])))].filter(finite);
  return new Figure({
    id, half: true, title: 'Observed and bound in every cell', height: 320,
    state: () => ({
      series: [{name: 'cells', colour: 'blue', symbol: 'circle', marked: true}, {name: 'worst', colour: 'vermilion', symbol: 'square', marked: true}],
      traces: (hidden) => [{x: ends, y: ends, mode: 'lines', line: {color: colour('quiet'), dash: 'dash', width: 1}, hoverinfo: 'skip'},
        ...(hidden.has('cells') ? [] : [points(false, 'cells', 'blue', 'circle', 6)]), ...(hidden.has('worst') ? [] : [points(true, 'worst', 'vermilion', 'square', 11)])],
      layout: () => ({xaxis: {title: 'bound'}, yaxis: {title: 'observed mean'}}),
      table, label: 'Observed means against bounds.',
      caption: ['Bars: two standard errors. On the dashed line the observed mean equals its bound; an upper bound is violated above it, a lower one below.'],
    }),
  });
}

// Estimates of an asymptotic claim with their intervals and what was stated.
function fitsFigure(id, fits) {
  const rows = fits.map((fit) => [fit.quantity, parameterText(fit.parameters), numberOf(fit.estimate), numberOf(fit.interval[0]), numberOf(fit.interval[1]),
    fit.stated === undefined ? null : numberOf(fit.stated), fit.p_value === undefined ? null : numberOf(fit.p_value)]);
  const table = Table.fromRows(['quantity', 'where', 'estimate', 'low', 'high', 'stated', 'p_value'], rows);
  const index = rows.map((_, i) => i + 1);
  return new Figure({
    id, half: true, title: 'Limits and exponents', height: 150 + 26 * rows.length,
    state: () => ({
      series: [{name: 'estimate with 95 % interval', colour: 'blue', symbol: 'circle', marked: true}, {name: 'stated', colour: 'vermilion', symbol: 'diamond', marked: true}],
      traces: (hidden) => [
        {x: table.column('estimate'), y: index, mode: 'markers', marker: {color: colour('blue'), size: 8}, visible: !hidden.has('estimate with 95 % interval'), text: rows.map((row) => plotText(`${row[0]}, ${row[1]}`)),
          error_x: {type: 'data', symmetric: false, color: colour('blue'), array: rows.map((row) => row[4] - row[2]), arrayminus: rows.map((row) => row[2] - row[3])}, hovertemplate: '%{text}<br>%{x:.5~g}<extra></extra>'},
        {x: table.column('stated'), y: index, mode: 'markers', marker: {color: colour('vermilion'), symbol: 'diamond', size: 10}, visible: !hidden.has('stated'), hovertemplate: 'stated: %{x}<extra></extra>'},
      ],
      layout: () => ({xaxis: {title: 'value'}, yaxis: {tickvals: index, ticktext: rows.map((row) => plotText(row[1] || row[0])), autorange: 'reversed', showgrid: false, ticks: ''}}),
      table, label: 'Estimates and what was stated.',
      caption: ['Extrapolated over the cells, one row per choice: ', [...new Set(rows.map((row) => row[0]))].join('; '), '. A stated value outside the interval refutes the claim once the run’s other tests are allowed for.'],
    }),
  });
}
