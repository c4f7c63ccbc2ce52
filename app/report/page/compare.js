// What compare wrote: every normalizer on the logits of every head.
function comparedQuantities(table, axes) {
  return table.columns.filter((name) => !axes.includes(name) && !name.endsWith('_se') && name !== 'rows' && table.column(name).some((value) => typeof value === 'number'));
}

// One small drawing per head: a quantity over N, a line per normalizer.
class SmallMultiples {
  constructor(section, table, measured) {
    Object.assign(this, {table, id: section.id});
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

  state() {
    const [key, length, layer] = [this.quantity.value, this.length.value, this.layer.value];
    const rows = this.table.where({length, layer});
    const heads = distinct(this.table.at('head', rows));
    const across = Math.min(heads.length, innerWidth < 700 ? 2 : 4);
    const down = Math.ceil(heads.length / across);
    const place = (index) => ({column: index % across, row: Math.floor(index / across)});
    const tops = distinct(this.table.at('top', rows));
    return {
      series: this.normalizers.map((normalizer, index) => ({name: normalizer, ...lookOf(index), symbol: undefined, x: [], y: []})),
      traces: (hidden) => heads.flatMap((head, h) => this.normalizers.flatMap((normalizer, index) => {
        if (hidden.has(normalizer)) return [];
        const own = rows.filter((row) => this.table.column('head')[row] === head && this.table.column('normalizer')[row] === normalizer).sort((a, b) => this.table.column('top')[a] - this.table.column('top')[b]);
        const axis = h === 0 ? '' : String(h + 1);
        return [{...lineTrace({name: normalizer, ...lookOf(index), symbol: undefined, width: 1.5, x: this.table.at('top', own), y: this.table.at(key, own)}), xaxis: `x${axis}`, yaxis: `y${axis}`}];
      })),
      layout: () => {
        const values = this.table.at(key, rows).filter(finite);
        const layout = {annotations: [], margin: {l: 44, r: 10, t: 18, b: 40}};
        heads.forEach((head, h) => {
          const {column, row} = place(h);
          const axis = h === 0 ? '' : String(h + 1);
          const x = [(column + 0.06) / across, (column + 0.97) / across];
          const y = [1 - (row + 0.86) / down, 1 - row / down];
          const common = {gridcolor: colour('grid'), linecolor: colour('axis'), tickfont: {size: 10}};
          layout[`xaxis${axis}`] = {...common, type: 'log', domain: x, anchor: `y${axis}`, dtick: 1, showticklabels: row === down - 1};
          layout[`yaxis${axis}`] = {...common, domain: y, anchor: `x${axis}`, range: [Math.min(0, ...values), Math.max(...values) * 1.05], nticks: 4, showticklabels: column === 0};
          layout.annotations.push({text: `head ${head}`, xref: 'paper', yref: 'paper', x: x[0], y: y[1], xanchor: 'left', yanchor: 'bottom', showarrow: false, font: {size: 10.5, color: colour('quiet')}});
        });
        return layout;
      },
      table: this.table.part(['layer', 'head', 'normalizer', 'length', 'top', key], rows), label: `${quantityName(key)} of the heads of layer ${layer}.`,
      caption: [`${quantityName(key)} of every head of layer ${layer} over `, math('N'), ` = ${tops[0]} to ${tops.at(-1)} at `, math('L'), ` = ${shortNumber(length)}; all on one scale.`],
    };
  }
}

function compareSection(section) {
  const {heads, means, normalizers} = section.tables;
  const parts = [];
  if (heads) {
    const measured = comparedQuantities(heads, ['normalizer', 'length', 'top', 'layer', 'head', 'temperature']);
    const explorer = new Explorer({id: `${section.id}-explorer`, title: 'Normalizers over N and L, means over heads', table: means, axes: ['top', 'normalizer', 'length'], quantities: measured,
      first: measured.includes('separable') ? 'separable' : measured[0], says: 'Means over heads; each head’s own logits under every normalizer.'});
    explorer.x.set('top');
    explorer.fixed.length = distinct(heads.column('length')).at(-1);
    explorer.offerAxes('normalizer');
    explorer.update();
    parts.push({id: `${section.id}-compare`, title: 'Normalizers', node: element('div', {}, explorer.node)});
    parts.push({id: `${section.id}-heads`, title: 'Head by head', node: element('div', {}, new SmallMultiples(section, heads, measured).node, numbersFile(`${section.id}-heads`, heads, 'heads.csv'))});
  }
  if (normalizers) {
    parts.push({id: `${section.id}-normalizers`, title: 'Over all heads', node: element('div', {}, numbersTable(normalizers), numbersFile(`${section.id}-normalizers`, normalizers, 'normalizers.csv'))});
  }
  return parts;
}
