// Any quantity over any two axes of a grid, as lines with intervals or as a heat map; a slider for a third axis, pickers
// for what is left. Axes are of numbers or of texts; a quantity of texts is a map of its values.

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
const axisSymbols = {length: 'L', top: 'N', dim: 'd', temperature: 'T', separation: 'δ'};
const axisName = (name) => axisNames[name] ?? name;

function axisFor(name, values) {
  if (values.some((value) => typeof value !== 'number')) return {type: 'category', title: plotText(axisName(name))};
  const ratio = values[1] / values[0];
  const geometric = values.length > 2 && values.every((value, i) => i === 0 || Math.abs(value / values[i - 1] / ratio - 1) < 0.02);
  const logarithmic = values.every((value) => value > 0) && (geometric || values.at(-1) >= 16 * values[0]);
  if (logarithmic) return gridAxis(values, plotText(axisName(name)));
  const few = values.length <= 8 ? {tickvals: values, ticktext: values.map((value) => shortNumber(value))} : {};
  return {title: plotText(axisName(name)), ...few};
}

function axisValues(values) {
  const all = [...new Set(values)];
  return all.every((value) => typeof value === 'number') ? all.sort((a, b) => a - b) : all;
}

// Names too long for the ticks of a narrow plot; where shortening would make two alike they stay whole.
function tickNames(names) {
  const most = innerWidth < 700 ? 11 : 22;
  const short = names.map((name) => (name.length > most ? `${name.slice(0, most - 1)}…` : name));
  return new Set(short).size === names.length ? short : names;
}

const standardError = {suffix: '_se', factor: 1.96, says: 'Bars: 95 % interval of the mean.'};

class Explorer {
  // axes, quantities, said: names of columns, said those of texts. shorter: {text: short form}. interval: what is drawn
  // around a mean. start: {x, y, fixed: {axis: value}}.
  constructor({id, title, table, axes, quantities: measured, said = [], first, says, shorter = {}, interval = standardError, start = {}}) {
    Object.assign(this, {id, table, says, said, shorter, interval});
    this.values = Object.fromEntries(axes.map((name) => [name, axisValues(table.column(name))]));
    this.free = axes.filter((name) => this.values[name].length > 1);
    this.fixed = {...start.fixed};
    const named = (names) => names.map((name) => [name, axisName(name)]);
    const update = () => this.update();
    const numeric = this.free.filter((name) => typeof this.values[name][0] === 'number');
    this.quantity = new Picker('Quantity', [...measured, ...said].map((name) => [name, quantityName(name)]), first ?? [...measured, ...said][0], update);
    this.x = new Picker('Along', named(this.free), start.x ?? (numeric.includes('length') ? 'length' : numeric[0] ?? this.free[0]), () => this.chooseAxes());
    this.y = new Picker('And', [[null, 'nothing else']], null, () => this.chooseAxes());
    this.view = new Picker('As', [['lines', 'lines with intervals'], ['map', 'heat map']], 'lines', update);
    this.rest = element('span', {class: 'controls inner'});
    this.offerAxes(start.y ?? (this.free.includes('top') && this.x.value !== 'top' ? 'top' : this.free.find((name) => name !== this.x.value) ?? null));
    this.along = this.x.value;
    this.figure = new Figure({id, title, height: 420, controls: [this.quantity, this.x, this.y, this.view, this.rest], state: () => this.state()});
    this.node = this.figure.node;
  }

  words(value) {
    return typeof value === 'number' ? shortNumber(value) : this.shorter[value] ?? value;
  }

  offerAxes(y) {
    const others = this.free.filter((name) => name !== this.x.value);
    this.y.offer([...others.map((name) => [name, axisName(name)]), [null, 'nothing else']], others.includes(y) ? y : null);
    const left = others.filter((name) => name !== this.y.value);
    // Of numbers the middle one says more than an end.
    const typical = (values) => values[typeof values[0] === 'number' ? Math.floor(values.length / 2) : 0];
    this.fixed = Object.fromEntries(left.map((name) => [name, this.fixed[name] ?? typical(this.values[name])]));
    replaceChildren(this.rest, left.map((name, index) => {
      const change = (value) => {
        this.fixed[name] = value;
        this.update();
      };
      const words = (value) => this.words(value);
      const control = index === 0 ? new Slider(axisName(name), this.values[name], this.fixed[name], change, words)
        : new Picker(axisName(name), this.values[name].map((value) => [value, words(value)]), this.fixed[name], change);
      return control.node;
    }));
  }

  chooseAxes() {
    // Choosing the other axis swaps the two.
    this.offerAxes(this.x.value === this.y.value ? this.along : this.y.value);
    this.along = this.x.value;
    this.update();
  }

  update() {
    this.figure.update();
  }

  state() {
    const [x, y, quantity] = [this.x.value, this.y.value, this.quantity.value];
    const rows = this.table.where(this.fixed);
    const error = this.table.has(quantity + this.interval.suffix) ? quantity + this.interval.suffix : null;
    const columns = [...Object.keys(this.values), ...(this.table.has('trials') ? ['trials'] : []), quantity, ...(error ? [error] : [])];
    const at = Object.entries(this.fixed).map(([name, value]) => `${axisName(name)} = ${this.words(value)}`).join(', ');
    const common = {table: this.table.part(columns, rows), label: `${quantityName(quantity)} over ${axisName(x)}.`};
    const caption = [`${quantityName(quantity)}${at ? ` at ${at}` : ''}. `, this.ends(rows, [x, y], quantity), this.says ?? ''];
    if (this.said.includes(quantity)) return {...common, ...this.kinds(rows, x, y, quantity), caption};
    if (this.view.value === 'map' && y !== null) return {...common, ...this.map(rows, x, y, quantity), caption};
    const {left, ...lines} = this.lines(rows, x, y, quantity, error);
    return {...common, ...lines, caption: [...caption, left > 0 && ` ${left} further values of ${axisName(y)} have no line; as a heat map all are shown.`, error && ` ${this.interval.says}`]};
  }

  // Where the least and the largest stand.
  ends(rows, axes, quantity) {
    const of = this.table.column(quantity);
    const found = rows.filter((row) => finite(of[row]));
    if (found.length < 2) return '';
    const [least, most] = extent(found.map((row) => of[row]));
    if (least === most) return `Everywhere ${shortNumber(least)}. `;
    const place = (value) => {
      const row = found.find((one) => of[one] === value);
      return axes.filter((name) => name !== null).map((name) => (typeof this.values[name][0] === 'number' ? `${axisSymbols[name] ?? name} = ` : '') + this.words(this.table.column(name)[row])).join(', ');
    };
    return `From ${shortNumber(least, 3)} (${place(least)}) to ${shortNumber(most, 3)} (${place(most)}). `;
  }

  lines(rows, x, y, quantity, error) {
    const all = y === null ? [null] : this.values[y];
    const step = Math.ceil(all.length / mostLines);
    const chosen = all.filter((_, index) => index % step === 0);
    const order = new Map(this.values[x].map((value, index) => [value, index]));
    const [xs, ys] = [this.table.column(x), y === null ? [] : this.table.column(y)];
    const texts = typeof this.values[x][0] !== 'number';
    const across = y !== null && typeof all[0] !== 'number';
    const series = chosen.map((value, index) => {
      const own = rows.filter((row) => y === null || ys[row] === value).sort((a, b) => order.get(xs[a]) - order.get(xs[b]));
      const name = value === null ? quantityName(quantity) : across ? this.words(value) : `${axisSymbols[y] ?? y} = ${this.words(value)}`;
      const line = {name, label: name, ...lookOf(index), x: this.table.at(x, own), y: this.table.at(quantity, own)};
      if (texts) Object.assign(line, {x: line.x.map((text) => plotText(this.words(text))), marked: true});
      if (error) {
        const se = this.table.at(error, own).map((value) => this.interval.factor * (value ?? 0));
        line.barLow = line.y.map((v, i) => v - se[i]);
        line.barHigh = line.y.map((v, i) => v + se[i]);
      }
      return line;
    });
    return {series, left: all.length - chosen.length, layout: () => ({xaxis: texts ? this.tickAxis(x) : axisFor(x, this.values[x]), yaxis: {title: plotText(quantityName(quantity))}})};
  }

  // Values of a column as a grid, a row for each y.
  grid(rows, x, y, name, take) {
    const [xs, ys] = [this.values[x], y === null ? [null] : this.values[y]];
    const [xAt, yAt] = [xs, ys].map((list) => new Map(list.map((value, index) => [value, index])));
    const values = ys.map(() => xs.map(() => null));
    const [along, across, of] = [this.table.column(x), y === null ? null : this.table.column(y), this.table.column(name)];
    for (const row of rows) values[across === null ? 0 : yAt.get(across[row])][xAt.get(along[row])] = take(of[row]);
    return values;
  }

  tickAxis(name) {
    const all = this.values[name].map((value) => this.words(value));
    const shown = tickNames(all).map(plotText);
    const step = typeof this.values[name][0] === 'number' ? Math.ceil(all.length / 14) : 1;
    const ticks = all.map((text, index) => index).filter((index) => index % step === 0);
    return {type: 'category', title: plotText(axisName(name)), showgrid: false, ticks: '', tickvals: ticks.map((index) => plotText(all[index])), ticktext: ticks.map((index) => shown[index]),
      categoryorder: 'array', categoryarray: all.map(plotText)};
  }

  mapTrace(x, y, z) {
    const words = (name) => (name === null ? [''] : this.values[name].map((value) => plotText(this.words(value))));
    return {type: 'heatmap', x: words(x), y: words(y), z, xgap: 1, ygap: 1, hoverongaps: false};
  }

  mapLayout(x, y) {
    return {xaxis: this.tickAxis(x), yaxis: y === null ? {showticklabels: false, ticks: '', showgrid: false} : this.tickAxis(y), margin: {l: 50, r: 8, t: 10, b: 46}};
  }

  map(rows, x, y, quantity) {
    const values = this.grid(rows, x, y, quantity, (value) => (finite(value) ? value : null));
    return {
      traces: () => [{...this.mapTrace(x, y, values), colorscale: 'Cividis', colorbar: {thickness: 12, outlinewidth: 0},
        hovertemplate: `${plotText(axisName(x))} %{x}<br>${plotText(axisName(y))} %{y}<br>${plotText(quantityName(quantity))}: %{z:.4~g}<extra></extra>`}],
      layout: () => this.mapLayout(x, y),
    };
  }

  // A map of texts: a colour for each.
  kinds(rows, x, y, quantity) {
    const texts = axisValues(this.table.column(quantity)).filter((text) => text !== '').sort();
    const series = texts.slice(0, lineLooks.length).map((text, index) => ({name: text, colour: kindColours[text] ?? lineLooks[index], low: [0], solid: true}));
    const values = this.grid(rows, x, y, quantity, (text) => (texts.includes(text) ? text : null));
    return {
      series,
      traces: (hidden) => {
        const place = (text) => series.findIndex(({name}) => name === text && !hidden.has(name));
        const steps = series.flatMap(({colour: paint}, i) => [[i / series.length, colour(paint)], [(i + 1) / series.length, colour(paint)]]);
        return [{...this.mapTrace(x, y, values.map((row) => row.map((text) => (text !== null && place(text) >= 0 ? place(text) : null)))), zmin: -0.5, zmax: series.length - 0.5,
          colorscale: steps, showscale: false, text: values.map((row) => row.map((text) => plotText(text ?? ''))), hovertemplate: `${plotText(axisName(x))} %{x}<br>${y === null ? '' : `${plotText(axisName(y))} %{y}<br>`}%{text}<extra></extra>`}];
      },
      layout: () => this.mapLayout(x, y),
    };
  }
}

const kindColours = {holds: 'green', refuted: 'vermilion', inconclusive: 'purple', vacuous: 'quiet', measured: 'blue'};
