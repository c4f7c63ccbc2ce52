// Where everything on the page comes from.
function provenanceList(pairs) {
  return element('dl', {class: 'provenance'}, pairs.filter(([, value]) => value !== undefined && value !== null && value !== '').map(([name, value]) => term(name, value)));
}

const hash = (value) => value && element('code', {class: 'hash'}, value);
const commandLine = (words) => words && element('code', {}, words.map((word) => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`)).join(' '));

// A file of run.json: its name and SHA-256.
function sourceFile(name, file) {
  return file ? [[name, file.file], [`${name}, SHA-256`, hash(file.sha256)]] : [];
}

function runProvenance(run) {
  if (!run) return element('p', {}, 'run.json is missing: version, seed, hashes and command line are not known.');
  const seconds = run.seconds?.total ?? Object.values(run.seconds ?? {}).reduce((all, value) => all + value, 0);
  return provenanceList([
    ['Program', run.headroom && [`headroom ${run.headroom}`, run.compiler].filter(Boolean).join(', ')], ['Date', run.date], ['Command line', commandLine(run.command_line)],
    ['Seed', run.seed === undefined ? undefined : String(run.seed)], ['Threads', run.threads === undefined ? undefined : String(run.threads)],
    ...sourceFile('Model', run.model), ...sourceFile('Text', run.text), ...(run.texts ?? []).flatMap((text, i) => sourceFile(`Text ${i + 1}`, text)),
    ['Vectors', run.vectors && `${run.vectors}${run.normalized === false ? ', lengths kept' : run.normalized ? ', unit length' : ''}`], ['Precision', run.precision], ['Preset', run.preset],
    ['Time', seconds ? `${shortNumber(seconds, 3)} s` : undefined],
  ]);
}

function provenance(report) {
  return element('footer', {class: 'foot'},
    element('h2', {id: 'provenance'}, 'Provenance'),
    report.sections.map((section) => element('section', {}, element('h3', {}, `${section.kind}: ${section.folder}`), runProvenance(section.run))),
    element('section', {}, element('h3', {}, 'This page'), provenanceList([
      ['Program', `headroom ${report.headroom}, ${report.compiler}`], ['Date', report.date], ['Command line', commandLine(report.command_line)],
      ['Plots', `Plotly.js ${Plotly.version}, MIT licence`],
      ['Theory', 'Limitations of Normalization in Attention Mechanism, arXiv 2508.17821'],
    ])));
}
