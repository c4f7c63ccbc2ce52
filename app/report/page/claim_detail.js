// What opens below a claim: its statement and source, how the verdict came about, its worst case and its cells.
function term(name, ...value) {
  return [element('dt', {}, name), element('dd', {}, ...value)];
}

function worstLine(worst) {
  const [observed, bound] = [numberOf(worst.observed), numberOf(worst.bound)];
  return [`${worst.test}: observed ${shortNumber(observed, 5)} for a bound of ${shortNumber(bound, 5)}`, element('br'), element('span', {class: 'quiet'}, parameterText(worst.parameters))];
}

function claimDetail(section, claim) {
  const text = section.texts[claim.id] ?? {};
  const cells = section.cellsOf(claim.id);
  const inputs = section.inputs[claim.id] ?? {};
  const id = `${section.id}-${claim.id.replace(/[^a-z0-9]+/gi, '-')}`;
  const formula = Object.hasOwn(claimFormulas, claim.id) ? largeMath(claimFormulas[claim.id]()) : null;
  const figures = [
    inputs.smallest && inputFigure(`${id}-smallest`, 'Smallest counterexample', inputs.smallest),
    inputs.file && inputFigure(`${id}-worst`, 'Worst input', inputs.file),
    claim.worst && testedMeansFigure(`${id}-means`, cells, claim.worst),
    claim.fits && fitsFigure(`${id}-fits`, claim.fits),
    cells.some((cell) => cell.tightness) && tightnessFigure(`${id}-tightness`, cells),
  ].filter(Boolean);
  const measured = Object.entries(claim.measured ?? {});
  return element('div', {class: 'claim-detail'},
    element('dl', {},
      formula && term('Formula', formula),
      term('Statement', text.statement ? element('code', {}, text.statement) : 'not known to this version of headroom'),
      text.source && term('Source', text.source),
      text.assumptions && term('Assumes', text.assumptions),
      term('Verdict', `${claim.verdict}: ${claim.reason ?? ''}`),
      claim.violations !== undefined && term('Violations', `${shortNumber(claim.violations)} in ${shortNumber(claim.trials)} inputs; rate at most ${shortNumber(numberOf(claim.violation_limit), 3)} (99 %)`),
      claim.worst && term('Worst case', worstLine(claim.worst)),
      claim.worst?.file && term('Evaluate again', element('code', {}, `headroom verify --replay ${section.folder.replace(/\/+$/, '')}/${claim.worst.file}`)),
      measured.length > 0 && term('Measured', element('ul', {}, measured.map(([what, value]) => element('li', {}, `${what}: ${shortNumber(numberOf(value))}`))))),
    figures.length > 0 && element('div', {class: 'figures'}, figures.map((figure) => figure.node)));
}
