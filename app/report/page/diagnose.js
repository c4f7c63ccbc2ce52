// What diagnose wrote: numbers of every head, the limits of the paper's guidelines, and the rule that fired.
const diagnoseRules = {
  active: {quantity: 'active_share', limit: 'active_share', name: 'active set', sign: '>', says: 'the active set is larger than this share of the context'},
  separable: {quantity: 'separable', limit: 'separable', name: 'Nₛ/N', sign: '<', says: 'too few of the selected tokens stay apart'},
  entropy: {quantity: 'entropy_slope', limit: 'entropy_slope', name: 'entropy slope', sign: '>', says: 'the entropy rises with the length of the context'},
  temperature: {quantity: 'effective_temperature', limit: 'effective_temperature', name: 'effective T', sign: '<', says: 'the weights are as sharp as below this temperature'},
};
const diagnoseNames = {active: 'Active set, tokens', active_share: 'Active set over L', separable: 'Separable share Nₛ/N', separable_law: 'Resolution law for Nₛ/N', entropy: 'Entropy',
  entropy_slope: 'Entropy per log L', effective_temperature: 'Effective temperature', max_weight: 'Largest weight', first_weight: 'Weight of the first token'};

const ruleColours = ['blue', 'vermilion', 'green', 'purple'];

function firedAt(table, row) {
  return table.column('fired')[row].split('+').filter(Boolean);
}

// Which rule fired for each head: a head has four corners, each in the colour of its rule where that fired.
function rulesFigure(section, table) {
  const rules = Object.entries(diagnoseRules);
  const rows = [...Array(table.rows).keys()];
  const fired = rows.map((row) => firedAt(table, row));
  const count = (rule) => fired.filter((list) => list.includes(rule)).length;
  const limits = section.run?.limits ?? {};
  const none = fired.filter((list) => list.length === 0).length;
  const words = ([rule, {name, sign, limit}]) => `${name} ${sign} ${shortNumber(limits[limit])} (${count(rule)})`;
  const [layers, heads] = ['layer', 'head'].map((name) => distinct(table.column(name)));
  const rowAt = new Map(rows.map((row) => [`${table.column('layer')[row]} ${table.column('head')[row]}`, row]));
  const halves = (values) => values.flatMap((value) => [value - 0.25, value + 0.25]);
  // cell(rule, row) for every corner of every head
  const corners = (cell) => layers.flatMap((layer) => [0, 1].map((down) => heads.flatMap((head) => [0, 1].map((right) => {
    const row = rowAt.get(`${layer} ${head}`);
    return row === undefined ? null : cell(2 * down + right, row);
  }))));
  return new Figure({
    id: `${section.id}-rules`, title: 'Which rule fired', height: 470,
    state: () => ({
      series: rules.map((entry, index) => ({name: words(entry), colour: ruleColours[index], low: [0], solid: true})),
      traces: (hidden) => {
        const shown = (index, row) => fired[row].includes(rules[index][0]) && !hidden.has(words(rules[index]));
        const steps = ['grid', ...ruleColours].flatMap((paint, i, all) => [[i / all.length, colour(paint)], [(i + 1) / all.length, colour(paint)]]);
        return [{type: 'heatmap', x: halves(heads), y: halves(layers), z: corners((index, row) => (shown(index, row) ? index + 1 : 0)), zmin: -0.5, zmax: 4.5, colorscale: steps, showscale: false, hoverongaps: false,
          text: corners((index, row) => plotText(`layer ${table.column('layer')[row]}, head ${table.column('head')[row]}, ${table.column('group')[row]}\n${rules[index][1].name} ${shortNumber(table.column(rules[index][1].quantity)[row])}\nfired: ${fired[row].join(', ') || 'none'}`).replaceAll('\n', '<br>')),
          hovertemplate: '%{text}<extra></extra>'}];
      },
      layout: () => {
        const line = (values, one, other) => values.slice(1).map((value) => ({type: 'line', [`${one}0`]: value - 0.5, [`${one}1`]: value - 0.5, [`${other}ref`]: 'paper', [`${other}0`]: 0, [`${other}1`]: 1, line: {color: colour('raised'), width: 4}}));
        return {...headMapLayout({layers, heads}), shapes: [...line(heads, 'x', 'y'), ...line(layers, 'y', 'x')]};
      },
      table: table.part(['layer', 'head', 'group', 'fired', ...rules.map(([, {quantity}]) => quantity)], rows),
      label: 'The rules that fired, by layer and head.',
      caption: [`A head has four corners, a guideline each, in colour where the head is beyond it; in brackets, how many heads are. ${none} of ${table.rows} heads are within all of them.`],
    }),
  });
}

class DiagnoseView {
  constructor(section) {
    const table = section.tables.heads;
    Object.assign(this, {table, limits: section.run?.limits ?? {}, id: section.id});
    const update = () => this.figures.forEach((figure) => figure.update());
    this.quantity = new Picker('Quantity', Object.keys(diagnoseNames).filter((key) => table.has(key)).map((key) => [key, diagnoseNames[key]]), 'active_share', update);
    this.rule = new Picker('Mark heads with', [['any', 'any rule fired'], ...Object.entries(diagnoseRules).map(([key, {name}]) => [key, `rule: ${name}`]),
      ...axisValues(table.column('group')).map((group) => [`group ${group}`, `group: ${group}`])], 'any', update);
    this.figures = [this.makeMap(), this.makeSpread()];
    this.node = element('div', {}, element('div', {class: 'controls'}, this.quantity.node, this.rule.node), element('div', {class: 'figures'}, this.figures.map((figure) => figure.node)));
  }

  marked(row) {
    const rule = this.rule.value;
    if (rule.startsWith('group ')) return this.table.column('group')[row] === rule.slice(6);
    const fired = firedAt(this.table, row);
    return rule === 'any' ? fired.length > 0 : fired.includes(rule);
  }

  rows() {
    return [...Array(this.table.rows).keys()];
  }

  limitLine() {
    const rule = Object.values(diagnoseRules).find(({quantity}) => quantity === this.quantity.value);
    const limit = rule && this.limits[rule.limit];
    return finite(limit) ? {...rule, limit} : null;
  }

  makeMap() {
    return new Figure({
      id: `${this.id}-map`, title: 'Every head', height: 470,
      state: () => {
        const [table, key] = [this.table, this.quantity.value];
        const grid = headGrid(table, this.rows(), key);
        const marked = this.rows().filter((row) => this.marked(row));
        return {
          traces: () => {
            const [map] = headMapTraces(grid, key, {layer: -9, head: -9});
            map.hovertemplate = `layer %{y}, head %{x}<br>${plotText(diagnoseNames[key])}: %{z:.4~g}<extra></extra>`;
            return [map, {type: 'scatter', mode: 'markers', x: table.at('head', marked), y: table.at('layer', marked), marker: {symbol: 'circle-open', size: 9, color: colour('vermilion'), line: {width: 2}},
              text: marked.map((row) => plotText(`${table.column('group')[row]}; fired: ${firedAt(table, row).join(', ') || 'none'}`)), hovertemplate: 'layer %{y}, head %{x}<br>%{text}<extra></extra>'}];
          },
          layout: () => headMapLayout(grid),
          table: table.part(table.columns, this.rows()),
          label: `${diagnoseNames[key]} by layer and head.`,
          caption: [`${diagnoseNames[key]}; circles mark ${marked.length} of ${table.rows} heads (${this.rule.options.find(([value]) => value === this.rule.value)[1]}). The numbers say the rule that fired for each.`],
        };
      },
    });
  }

  makeSpread() {
    return new Figure({
      id: `${this.id}-spread`, title: 'Where the heads lie', height: 470,
      state: () => {
        const [table, key, line] = [this.table, this.quantity.value, this.limitLine()];
        const groups = axisValues(table.column('group'));
        const beyond = line && table.column(key).filter((value) => finite(value) && (line.sign === '>' ? value > line.limit : value < line.limit)).length;
        return {
          series: groups.map((group, index) => ({name: group, ...lookOf(index), dash: 'solid', marked: true, symbol: 'circle'})),
          traces: (hidden) => groups.filter((group) => !hidden.has(group)).map((group) => {
            const rows = table.where({group});
            const {colour: paint} = lookOf(groups.indexOf(group));
            return {type: 'box', name: plotText(group), y: table.at(key, rows), boxpoints: 'all', jitter: 0.6, pointpos: 0, quartilemethod: 'linear', marker: {color: colour(paint, 0.7), size: 4}, line: {color: colour(paint), width: 1.2},
              fillcolor: 'rgba(0,0,0,0)', text: rows.map((row) => `layer ${table.column('layer')[row]}, head ${table.column('head')[row]}`), hovertemplate: '%{text}: %{y:.4~g}<extra></extra>'};
          }),
          layout: () => ({xaxis: {type: 'category', showgrid: false}, yaxis: {title: plotText(diagnoseNames[key])},
            shapes: line ? [{type: 'line', xref: 'paper', x0: 0, x1: 1, y0: line.limit, y1: line.limit, line: {color: colour('orange'), width: 2, dash: 'dash'}}] : []}),
          table: table.part(['layer', 'head', 'group', key, 'fired'], this.rows()), label: `${diagnoseNames[key]} by group.`,
          caption: line ? [`The dashed line is the paper’s guideline: the rule fires where ${line.name} ${line.sign} ${shortNumber(line.limit)}, as in ${beyond} heads, because ${line.says}.`]
            : ['No guideline is about this number.'],
        };
      },
    });
  }
}

function diagnoseSection(section) {
  const table = section.tables.heads;
  if (!table) return [];
  const rows = [...Array(table.rows).keys()];
  const cards = Object.entries(diagnoseRules).map(([rule, {name, sign, limit}]) => card(String(rows.filter((row) => firedAt(table, row).includes(rule)).length), `heads with ${name} ${sign} ${shortNumber(section.run?.limits?.[limit])}`, `of ${table.rows}`));
  const groups = axisValues(table.column('group')).map((group) => card(String(table.where({group}).length), `${group}s`));
  return [{id: `${section.id}-heads`, title: 'Diagnosis', node: element('div', {}, element('div', {class: 'cards'}, cards, groups), rulesFigure(section, table).node, new DiagnoseView(section).node, numbersFile(`${section.id}-heads`, table, 'heads.csv'))}];
}
