// The map of all heads and the curves of the chosen one, under one set of pickers: quantity, L, N, layer, head.

const spread = (table, key, groups) => {
  const values = groups.map((rows) => table.at(key, rows));
  return {low: values.map((v) => quantile(v, 0.1)), high: values.map((v) => quantile(v, 0.9)), middle: values.map((v) => quantile(v, 0.5))};
};

class HeadsView {
  constructor(section) {
    const table = section.tables.heads;
    this.table = table;
    this.id = section.id;
    this.lengths = distinct(table.column('length'));
    const keys = Object.keys(quantities).filter((key) => table.has(key));
    this.layers = distinct(table.column('layer'));
    this.length = this.lengths.at(-1);
    const tops = this.topsAt(this.length);
    this.top = tops.includes(16) ? 16 : tops[Math.floor(tops.length / 2)];
    const update = () => this.update();
    this.quantity = new Picker('Quantity', keys.map((key) => [key, quantityName(key)]), 'separable', update);
    this.lengthPicker = new Picker('L', this.lengths, this.length, () => this.chooseLength());
    this.topPicker = new Picker('N', tops, this.top, update);
    this.layer = new Picker('Layer', this.layers, this.layers[0], () => this.chooseLayer());
    this.head = new Picker('Head', this.headsOf(this.layers[0]), this.headsOf(this.layers[0])[0], update);
    this.map = this.makeMap();
    this.overTop = this.makeCurve('N', 'top', 'length');
    this.overLength = this.makeCurve('L', 'length', 'top');
    this.formula = element('p', {class: 'formula-line'});
    this.map.plot.onclick = (point) => this.chooseHead(point.y, point.x);
    this.node = element('div', {class: 'heads-view'},
      element('div', {class: 'controls', role: 'group', 'aria-label': 'What the map and the curves show'},
        [this.quantity, this.lengthPicker, this.topPicker, this.layer, this.head].map((picker) => picker.node)),
      this.formula, element('div', {class: 'figures'}, this.map.node, element('div', {class: 'stack'}, this.overTop.node, this.overLength.node)));
    this.tell();
  }

  topsAt(length) {
    return distinct(this.table.at('top', this.table.where({length})));
  }

  headsOf(layer) {
    return distinct(this.table.at('head', this.table.where({layer})));
  }

  chooseLength() {
    const tops = this.topsAt(this.lengthPicker.value);
    const nearest = tops.filter((top) => top <= this.topPicker.value).at(-1) ?? tops[0];
    this.topPicker.offer(tops, nearest);
    this.update();
  }

  chooseLayer() {
    const heads = this.headsOf(this.layer.value);
    this.head.offer(heads, heads.includes(this.head.value) ? this.head.value : heads[0]);
    this.update();
  }

  chooseHead(layer, head) {
    this.layer.set(layer);
    this.head.offer(this.headsOf(layer), head);
    this.update();
  }

  tell() {
    replaceChildren(this.formula, quantityLine(this.quantity.value));
  }

  update() {
    this.tell();
    for (const figure of [this.map, this.overTop, this.overLength]) figure.update();
  }

  makeMap() {
    return new Figure({
      id: `${this.id}-map`, title: 'Every head', height: 470,
      state: () => {
        const key = this.quantity.value;
        const [length, top] = [this.lengthPicker.value, this.topPicker.value];
        const rows = this.table.where({length, top});
        const grid = headGrid(this.table, rows, key);
        return {
          traces: () => headMapTraces(grid, key, {layer: this.layer.value, head: this.head.value}), layout: () => headMapLayout(grid),
          table: this.table.part(['layer', 'head', 'length', 'top', key], rows),
          label: `${quantityName(key)} by layer and head.`,
          caption: [`${quantityName(key)} at `, math('L'), ` = ${shortNumber(length)}`, independentOfTop.has(key) ? '' : [', ', math('N'), ` = ${top}`], '. ', headMapSays(grid, key), ' Choose a head by a click.'],
        };
      },
    });
  }

  // A curve of the chosen head along one axis, the other one fixed, with the range of all heads around it.
  makeCurve(symbol, along, fixed) {
    const title = symbol === 'N' ? 'The chosen head over N' : 'The chosen head over L';
    return new Figure({
      id: `${this.id}-over-${along}`, title, height: 215,
      state: () => {
        const key = this.quantity.value;
        const [layer, head] = [this.layer.value, this.head.value];
        const at = fixed === 'length' ? this.lengthPicker.value : this.topPicker.value;
        const rows = this.table.where({[fixed]: at});
        const steps = distinct(this.table.at(along, rows));
        const groups = steps.map((step) => rows.filter((row) => this.table.column(along)[row] === step));
        const own = this.table.where({[fixed]: at, layer, head}).sort((a, b) => this.table.column(along)[a] - this.table.column(along)[b]);
        const band = spread(this.table, key, groups);
        const columns = ['layer', 'head', 'length', 'top', key];
        const chosen = {name: `layer ${layer}, head ${head}`, colour: 'vermilion', symbol: 'circle', x: this.table.at(along, own), y: this.table.at(key, own)};
        if (this.table.has(`${key}_se`)) {
          columns.push(`${key}_se`);
          const se = this.table.at(`${key}_se`, own);
          chosen.barLow = chosen.y.map((y, i) => y - 2 * se[i]);
          chosen.barHigh = chosen.y.map((y, i) => y + 2 * se[i]);
        }
        return {
          series: [{name: '10–90 % of heads', colour: 'blue', x: steps, low: band.low, high: band.high}, {name: 'median head', colour: 'blue', width: 1.4, dash: 'dash', x: steps, y: band.middle}, chosen],
          table: this.table.part(columns, own),
          layout: () => ({xaxis: gridAxis(steps, symbol === 'N' ? 'selected tokens <i>N</i>' : 'context length <i>L</i>'),
            yaxis: {...(quantities[key]?.share ? {range: [-0.03, 1.05]} : {rangemode: 'tozero'}), nticks: 5}, margin: {l: 50, r: 12, t: 6, b: 44}}),
          label: `${quantityName(key)} of layer ${layer}, head ${head}.`,
          caption: [`${quantityName(key)} of layer ${layer}, head ${head} at `, math(fixed === 'length' ? 'L' : 'N'), ` = ${shortNumber(at)}`, chosen.barLow ? ', bars: two standard errors over windows' : '', '.'],
        };
      },
    });
  }
}
