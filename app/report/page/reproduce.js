// What reproduce wrote.
function card(value, label, compared) {
  return element('div', {class: 'card'}, element('div', {class: 'value'}, value), element('div', {class: 'label'}, label),
    compared && element('div', {class: 'compared'}, compared));
}

function reproduceCards(section) {
  const {figure2c, figure3, figure4, heads} = section.tables;
  const cards = [];
  if (section.run?.model || heads) {
    const count = section.run?.model?.heads ?? distinct(heads.column('layer')).length * distinct(heads.column('head')).length;
    cards.push(card(count.toLocaleString('en'), 'heads measured', section.run?.windows ? `${section.run.windows.done} windows of ${shortNumber(section.run.length)} tokens` : section.run?.length && `one window of ${shortNumber(section.run.length)} tokens`));
  }
  if (figure3) {
    const tops = distinct(figure3.column('top'));
    const top = tops.includes(paperBandFrom) ? paperBandFrom : tops.at(-1);
    const share = mean(figure3.at('separable', figure3.where({top})).filter(finite));
    cards.push(card(shortNumber(share, 2), [math('N_s / N'), ' at ', math('N'), ` = ${top}`], 'paper: 0.70–0.85'));
  }
  if (figure2c) {
    const length = distinct(figure2c.column('length')).at(-1);
    const ratio = figure2c.column('ratio')[figure2c.where({length, against: 'expected_full'})[0]];
    cards.push(card(ratio === null || ratio === undefined ? 'none' : shortNumber(ratio, 2), ['critical ', math('N / L'), ' at ', math('L'), ` = ${shortNumber(length)}`], 'paper: about 0.06'));
  }
  if (figure4) {
    const factor = Math.max(...figure4.column('jacobian_norm').map((norm, i) => norm * figure4.column('temperature')[i]).filter(finite));
    cards.push(card(shortNumber(factor, 2), ['largest ', math('T ‖ J ‖_2')], 'paper: at most 0.25'));
  }
  return element('div', {class: 'cards'}, cards);
}

function reproduceSection(section) {
  const {tables} = section;
  const figures = [
    tables.figure2a && distanceFigure(section, 'figure2a', 'length'),
    tables.figure2b && distanceFigure(section, 'figure2b', 'top'),
    tables.figure2c && criticalFigure(section),
    tables.figure3 && separableFigure(section),
    tables.figure4 && sensitivityFigure(section),
  ].filter(Boolean);
  const parts = [];
  if (figures.length > 0) {
    parts.push({id: `${section.id}-figures`, title: 'The paper’s figures', node: element('div', {}, reproduceCards(section), element('div', {class: 'figures'}, figures.map((figure) => figure.node)))});
  }
  if (tables.heads) {
    const all = numbersFile(`${section.id}-heads`, tables.heads, 'heads.csv');
    parts.push({id: `${section.id}-heads`, title: 'Head by head', node: element('div', {}, new HeadsView(section).node, all)});
  }
  return parts;
}

// A whole file to download, as the page holds it.
function numbersFile(id, table, name) {
  return element('p', {class: 'whole-file'}, element('button', {type: 'button', id: `${id}-csv`, onclick: () => download(name, csvText(table), 'text/csv')},
    `Download ${name} (${table.rows.toLocaleString('en')} rows)`));
}
