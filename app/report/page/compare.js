// What compare wrote: every normalizer on the logits of every head.
const deviation = {suffix: '_sd', factor: 1, says: 'Bars: one standard deviation over the heads.'};

function comparedQuantities(table, axes) {
  return table.columns.filter((name) => !axes.includes(name) && !name.endsWith('_sd') && name !== 'rows' && table.column(name).some((value) => typeof value === 'number'));
}

// One small drawing per head: a quantity over N, a line per normalizer.
class SmallMultiples {
  constructor(section, table, measured) {
    Object.assign(this, {table, id: section.id, shorter: section.short});
    this.normalizers = axisValues(table.column('normalizer'));
    const lengths = distinct(table.column('length'));
    const update = () => this.figure.update();
    this.quantity = new Picker('Quantity', measured.map((name) => [name, quantityName(name)]), measured.includes('separable') ? 'separable' : measured[0], update);
    this.length = new Picker('L', lengths, lengths.at(-1), update);
    const layers = distinct(table.column('layer'));
    this.layer = new Picker('Layer', layers, layers[0], update);
    this.figure = new Figure({id: `${section.id}-multiples`, title: 'Head by head', height: 460, controls: [this.quantity, this.length, this.layer], state: () => this.state()});
    this.node = this.figure.node;
  }

  name(normalizer) {
    return this.shorter[normalizer] ?? normalizer;
  }

  state() {
    const [key, length, layer] = [this.quantity.value, this.length.value, this.layer.value];
    const rows = this.table.where({length, layer});
    const heads = distinct(this.table.at('head', rows));
    const across = () => Math.min(heads.length, innerWidth < 700 ? 3 : 4);
    const down = () => Math.ceil(heads.length / across());
    const tops = distinct(this.table.at('top', rows));
    return {
      series: this.normalizers.map((normalizer, index) => ({name: this.name(normalizer), ...lookOf(index), symbol: undefined, x: [], y: []})),
      traces: (hidden) => heads.flatMap((head, h) => this.normalizers.flatMap((normalizer, index) => {
        if (hidden.has(this.name(normalizer))) return [];
        const own = rows.filter((row) => this.table.column('head')[row] === head && this.table.column('normalizer')[row] === normalizer).sort((a, b) => this.table.column('top')[a] - this.table.column('top')[b]);
        const axis = h === 0 ? '' : String(h + 1);
        return [{...lineTrace({name: this.name(normalizer), ...lookOf(index), symbol: undefined, width: 1.5, x: this.table.at('top', own), y: this.table.at(key, own)}), xaxis: `x${axis}`, yaxis: `y${axis}`}];
      })),
      layout: () => {
        const values = this.table.at(key, rows).filter(finite);
        const [columns, lines] = [across(), down()];
        const layout = {annotations: [], margin: {l: 44, r: 10, t: 18, b: 40}};
        heads.forEach((head, h) => {
          const [column, row] = [h % columns, Math.floor(h / columns)];
          const axis = h === 0 ? '' : String(h + 1);
          const x = [(column + 0.07) / columns, (column + 0.95) / columns];
          const y = [1 - (row + 0.86) / lines, 1 - row / lines];
          const common = {gridcolor: colour('grid'), linecolor: colour('axis'), tickfont: {size: 10}};
          layout[`xaxis${axis}`] = {...common, type: 'log', domain: x, anchor: `y${axis}`, dtick: 1, showticklabels: h + columns >= heads.length};
          layout[`yaxis${axis}`] = {...common, domain: y, anchor: `x${axis}`, range: [Math.min(0, ...values), Math.max(...values) * 1.05], nticks: 4, showticklabels: column === 0};
          layout.annotations.push({text: `head ${head}`, xref: 'paper', yref: 'paper', x: x[0], y: y[1], xanchor: 'left', yanchor: 'bottom', showarrow: false, font: {size: 10.5, color: colour('quiet')}});
        });
        return layout;
      },
      height: () => 60 + 135 * down(),
      table: this.table.part(['layer', 'head', 'normalizer', 'length', 'top', key], rows), label: `${quantityName(key)} of the heads of layer ${layer}.`,
      caption: [`${quantityName(key)} of every head of layer ${layer} over `, math('N'), ` = ${tops[0]} to ${tops.at(-1)} at `, math('L'), ` = ${shortNumber(length)}; all on one scale.`],
    };
  }
}

// What a normalizer gains in tokens told apart against what it costs in sensitivity, as measured on the heads.
function tradeFigure(section, table, length) {
  const tops = distinct(table.at('top', table.where({length})));
  const update = () => figure.update();
  const top = new Picker('N', tops, tops.includes(16) ? 16 : tops.at(-1), update);
  const cost = new Picker('Sensitivity', [['jacobian_mean', quantityName('jacobian_mean')], ['jacobian_worst', quantityName('jacobian_worst')]].filter(([name]) => table.has(name)), 'jacobian_mean', update);
  const figure = new Figure({
    id: `${section.id}-trade`, title: 'As measured on the heads', height: 420, controls: [top, cost],
    state: () => {
      const rows = table.where({length, top: top.value}).filter((row) => finite(table.column(cost.value)[row]) && finite(table.column('separable')[row]));
      const names = table.at('normalizer', rows).map((name) => section.short[name] ?? name);
      const [xs, ys] = [table.at(cost.value, rows), table.at('separable', rows)];
      const most = ys.indexOf(extent(ys)[1]);
      const calmest = xs.indexOf(extent(xs)[0]);
      return {
        series: names.map((name, index) => ({name, ...lookOf(index), marked: true, x: [xs[index]], y: [ys[index]], hover: `${plotText(name)}<br>sensitivity %{x:.4~g}, Nₛ/N %{y:.4~g}<extra></extra>`})),
        layout: () => ({xaxis: logAxis(xs, plotText(quantityName(cost.value))), yaxis: {title: 'separable share <i>N</i><sub>s</sub>/<i>N</i>'}}),
        table: table.part(['normalizer', 'length', 'top', cost.value, 'separable', 'separable_sd'].filter((name) => table.has(name)), rows),
        label: 'Separable share against sensitivity, a point for each normalizer.',
        caption: [`Means over heads at `, math('L'), ` = ${shortNumber(length)}, `, math('N'), ` = ${top.value}. Up and to the left is better. `,
          rows.length > 0 && `Most told apart: ${names[most]} (${shortNumber(ys[most], 3)}); calmest: ${names[calmest]} (${shortNumber(xs[calmest], 3)}).`],
      };
    },
  });
  return figure;
}

const matches = {entropy: 'each at softmax’s mean entropy, head by head', 'max-weight': 'each at softmax’s mean largest weight, head by head'};

function compareSection(section) {
  const {heads, normalizers, curves} = section.tables;
  const parts = [];
  if (normalizers && normalizers.rows > 0) {
    const lengths = distinct(normalizers.column('length'));
    const length = lengths.at(-1);
    const measured = comparedQuantities(normalizers, ['normalizer', 'length', 'top']);
    const how = matches[section.run?.match] ?? 'as they are, on each head’s own logits';
    const explorer = new Explorer({id: `${section.id}-explorer`, title: 'Normalizers over N and L', table: normalizers, axes: ['top', 'normalizer', 'length'], quantities: measured, shorter: section.short, interval: deviation,
      first: measured.includes('separable') ? 'separable' : measured[0], start: {x: 'top', y: 'normalizer', fixed: {length}}, says: `Means over heads; the normalizers ${how}.`});
    const all = element('details', {class: 'numbers'}, element('summary', {}, 'All numbers'), numbersTable(normalizers));
    parts.push({id: `${section.id}-normalizers`, title: 'Normalizers', node: element('div', {}, explorer.node, all, numbersFile(`${section.id}-normalizers`, normalizers, 'normalizers.csv'))});
    const figures = [
      ...(curves ? frontierFigures(section.id, curves, {length, middle: 0.9, shorter: section.short}) : []),
      ...(normalizers.has('separable') && normalizers.has('jacobian_mean') ? [tradeFigure(section, normalizers, length)] : []),
    ];
    if (figures.length > 0) {
      parts.push({id: `${section.id}-curves`, title: 'The frontier', node: element('div', {}, element('p', {class: 'quiet'}, 'What each normalizer asks for and costs by its closed form, for one token ahead of equal others at ', math('T'), ' = 1; beside it what it did to these heads.'),
        element('div', {class: 'figures'}, figures.map((figure) => figure.node)))});
    }
  }
  if (heads && heads.rows > 0) {
    const measured = comparedQuantities(heads, ['normalizer', 'length', 'top', 'layer', 'head']);
    parts.push({id: `${section.id}-heads`, title: 'Head by head', node: element('div', {}, new SmallMultiples(section, heads, measured).node, numbersFile(`${section.id}-heads`, heads, 'heads.csv'))});
  }
  return parts;
}
