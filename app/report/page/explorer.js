// Any quantity over any two axes of a grid, as lines with intervals or as a heat map; a slider for a third axis, pickers
// for what is left.

const lineLooks = ['blue', 'vermilion', 'green', 'purple', 'orange', 'sky', 'ink'];
const lineDashes = ['solid', 'dash', 'dot'];
const lineSymbols = ['circle', 'square', 'diamond', 'triangle-up'];
const mostLines = lineLooks.length * lineDashes.length;

// How a series among many looks: colours first, then dashes, so that no two are alike.
function lookOf(index) {
  return {colour: lineLooks[index % lineLooks.length], dash: lineDashes[Math.floor(index / lineLooks.length) % lineDashes.length],
    symbol: lineSymbols[index % lineSymbols.length]};
}

const axisNames = {length: 'context length L', top: 'selected tokens N', dim: 'dimension d', temperature: 'temperature T', separation: 'separation δ'};
const axisName = (name) => axisNames[name] ?? name;

function axisFor(name, values) {
  if (values.some((value) => typeof value !== 'number')) return {type: 'category', title: plotText(axisName(name))};
  const logarithmic = values.every((value) => value > 0) && values.at(-1) >= 16 * values[0];
  return logarithmic ? gridAxis(values, plotText(axisName(name))) : {title: plotText(axisName(name))};
}

function axisValues(values) {
  const all = [...new Set(values)];
  return all.every((value) => typeof value === 'number') ? all.sort((a, b) => a - b) : all;
}

class Explorer {
  // axes and quantities: names of columns; interval(quantity) names the column of its standard error, or null.
  constructor({id, title, table, axes, quantities: measured, first, says}) {
    Object.assign(this, {id, table, says});
    this.values = Object.fromEntries(axes.map((name) => [name, axisValues(table.column(name))]));
    this.free = axes.filter((name) => this.values[name].length > 1);
    this.fixed = {};
    const named = (names) => names.map((name) => [name, axisName(name)]);
    const update = () => this.update();
    this.quantity = new Picker('Quantity', measured.map((name) => [name, quantityName(name)]), first, update);
    this.x = new Picker('Along', named(this.free), this.free.includes('length') ? 'length' : this.free[0], () => this.chooseAxes());
    this.y = new Picker('And', [[null, 'nothing else']], null, () => this.chooseAxes());
    this.view = new Picker('As', [['lines', 'lines with intervals'], ['map', 'heat map']], 'lines', update);
    this.rest = element('span', {class: 'controls inner'});
    this.offerAxes(this.free.includes('top') && this.x.value !== 'top' ? 'top' : this.free.find((name) => name !== this.x.value) ?? null);
    this.figure = new Figure({id, title, height: 420, controls: [this.quantity, this.x, this.y, this.view, this.rest], state: () => this.state()});
    this.node = this.figure.node;
  }

  offerAxes(y) {
    const others = this.free.filter((name) => name !== this.x.value);
    this.y.offer([...others.map((name) => [name, axisName(name)]), [null, 'nothing else']], others.includes(y) ? y : others[0] ?? null);
    const left = others.filter((name) => name !== this.y.value);
    this.fixed = Object.fromEntries(left.map((name) => [name, this.fixed[name] ?? this.values[name][0]]));
    replaceChildren(this.rest, left.map((name, index) => {
      const change = (value) => {
        this.fixed[name] = value;
        this.update();
      };
      const words = (value) => (typeof value === 'number' ? shortNumber(value) : value);
      const control = index === 0 ? new Slider(axisName(name), this.values[name], this.fixed[name], change, words)
        : new Picker(axisName(name), this.values[name].map((value) => [value, words(value)]), this.fixed[name], change);
      return control.node;
    }));
  }

  chooseAxes() {
    this.offerAxes(this.y.value);
    this.update();
  }

  update() {
    this.figure.update();
  }

  state() {
    const [x, y, quantity] = [this.x.value, this.y.value, this.quantity.value];
    const rows = this.table.where(this.fixed);
    const error = this.table.has(`${quantity}_se`) ? `${quantity}_se` : null;
    const columns = [...Object.keys(this.values), ...(this.table.has('trials') ? ['trials'] : []), quantity, ...(error ? [error] : [])];
    const at = Object.entries(this.fixed).map(([name, value]) => `${axisName(name)} = ${typeof value === 'number' ? shortNumber(value) : value}`).join(', ');
    const common = {table: this.table.part(columns, rows), label: `${quantityName(quantity)} over ${axisName(x)}.`};
    const caption = [`${quantityName(quantity)}${at ? ` at ${at}` : ''}. `, this.says ?? ''];
    if (this.view.value === 'map' && y !== null) return {...common, ...this.map(rows, x, y, quantity), caption};
    return {...common, ...this.lines(rows, x, y, quantity, error), caption: [...caption, error && ' Bars: 95 % interval of the mean.']};
  }

  lines(rows, x, y, quantity, error) {
    const all = y === null ? [null] : this.values[y];
    const step = Math.ceil(all.length / mostLines);
    const series = all.filter((_, index) => index % step === 0).map((value, index) => {
      const own = rows.filter((row) => y === null || this.table.column(y)[row] === value);
      const order = this.values[x];
      own.sort((a, b) => order.indexOf(this.table.column(x)[a]) - order.indexOf(this.table.column(x)[b]));
      const name = value === null ? quantityName(quantity) : `${y} = ${typeof value === 'number' ? shortNumber(value) : value}`;
      const line = {name, label: typeof value === 'string' ? value : name, ...lookOf(index), x: this.table.at(x, own), y: this.table.at(quantity, own)};
      if (error) {
        const se = this.table.at(error, own);
        line.barLow = line.y.map((v, i) => v - 1.96 * (se[i] ?? 0));
        line.barHigh = line.y.map((v, i) => v + 1.96 * (se[i] ?? 0));
      }
      return line;
    });
    return {series, layout: () => ({xaxis: axisFor(x, this.values[x]), yaxis: {title: plotText(quantityName(quantity))}})};
  }

  map(rows, x, y, quantity) {
    const [xs, ys] = [this.values[x], this.values[y]];
    const values = ys.map(() => xs.map(() => null));
    for (const row of rows) {
      const value = this.table.column(quantity)[row];
      values[ys.indexOf(this.table.column(y)[row])][xs.indexOf(this.table.column(x)[row])] = finite(value) ? value : null;
    }
    const words = (list) => list.map((value) => (typeof value === 'number' ? shortNumber(value) : plotText(value)));
    return {
      traces: () => [{type: 'heatmap', x: words(xs), y: words(ys), z: values, colorscale: 'Cividis', xgap: 1, ygap: 1, colorbar: {thickness: 12, outlinewidth: 0},
        hovertemplate: `${plotText(axisName(x))} %{x}<br>${plotText(axisName(y))} %{y}<br>${plotText(quantityName(quantity))}: %{z:.4~g}<extra></extra>`}],
      layout: () => ({xaxis: {type: 'category', title: plotText(axisName(x)), showgrid: false}, yaxis: {type: 'category', title: plotText(axisName(y)), showgrid: false}}),
    };
  }
}
