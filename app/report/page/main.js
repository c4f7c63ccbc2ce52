// Puts the page together from the document that the program wrote into it.
const sectionKinds = {reproduce: reproduceSection, verify: verifySection, compare: compareSection, diagnose: diagnoseSection, frontier: frontierSection, sweep: sweepSection};

const baseName = (path) => path.replace(/[\\/]+$/, '').split(/[\\/]/).at(-1) || path;

// Model and text by the names of their folder and file.
function subject(section) {
  const model = section.run?.model?.file;
  const texts = section.run?.texts ?? (section.run?.text ? [section.run.text] : []);
  const parts = [];
  if (model) parts.push(baseName(/\.onnx$/.test(model) ? model.replace(/[\\/]?[^\\/]*$/, '') || model : model));
  if (texts.length > 0) parts.push(texts.length === 1 ? baseName(texts[0].file).replace(/\.[^.]*$/, '') : `${texts.length} texts`);
  return parts.join(' on ');
}

function sectionTitle(section) {
  return [section.kind, subject(section) || baseName(section.folder)].join(': ');
}

function notices(section) {
  if (section.missing.length + section.notes.length === 0) return null;
  return element('div', {class: 'notices', role: 'note'},
    section.missing.length > 0 && element('div', {}, element('strong', {}, 'Not everything is there. '), 'The rest is shown.',
      element('ul', {}, section.missing.map(({part, why}) => element('li', {}, element('code', {}, part), ` – ${why}`)))),
    section.notes.length > 0 && element('ul', {}, section.notes.map((note) => element('li', {}, note))));
}

function prepare(section, index) {
  const tables = Object.fromEntries(Object.entries(section.tables ?? {}).map(([name, table]) => [name, new Table(table)]));
  return {...section, id: `s${index + 1}`, tables};
}

function contents(built) {
  const link = (id, text) => element('a', {href: `#${id}`}, text);
  return element('nav', {class: 'contents', 'aria-label': 'Contents'}, element('ul', {}, built.map(({section, parts}) => element('li', {}, link(section.id, sectionTitle(section)),
    element('ul', {}, parts.map((part) => element('li', {}, link(part.id, part.title)))))), element('li', {}, link('provenance', 'Provenance'))));
}

function buildPage() {
  const report = JSON.parse(document.getElementById('report-data').textContent);
  const built = report.sections.map(prepare).map((section) => ({section, parts: sectionKinds[section.kind](section)}));
  const title = built.length === 1 ? sectionTitle(built[0].section) : built.length === 2 ? built.map(({section}) => sectionTitle(section)).join(' · ') : `${built.length} results`;
  document.title = `${title} – headroom report`;
  document.documentElement.dataset.theme = currentTheme();
  document.body.append(
    element('a', {class: 'skip', href: '#main'}, 'Skip to the results'),
    element('header', {class: 'top'}, element('div', {}, element('p', {class: 'brand'}, 'headroom report'), element('h1', {}, title)), themeButton()),
    element('div', {class: 'columns'}, contents(built), element('main', {id: 'main'},
      built.map(({section, parts}) => element('section', {class: 'result', id: section.id},
        built.length > 1 && element('h2', {class: 'result-title'}, sectionTitle(section)), notices(section),
        parts.map((part) => element('section', {id: part.id, class: 'part'}, element('h2', {}, part.title), part.node)))),
      provenance(report))));
  // For tests and for whoever waits for the page.
  document.documentElement.dataset.ready = 'yes';
}

buildPage();
