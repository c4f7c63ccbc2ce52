// What verify wrote.
function verifyCards(section) {
  const {claims} = section.verdicts;
  const count = (verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const unexpected = claims.filter((claim) => claim.verdict !== claim.expected).length;
  return element('div', {class: 'cards'},
    card(String(claims.length), 'claims tested', section.verdicts.preset && `preset ${section.verdicts.preset}`),
    ...['holds', 'refuted', 'vacuous', 'measured', 'inconclusive'].filter((verdict) => count(verdict) > 0).map((verdict) => card(String(count(verdict)), verdictBadge(verdict))),
    card(String(unexpected), 'not as expected', unexpected === 0 ? 'every verdict as expected' : 'marked in the table'));
}

function verifySection(section) {
  const byClaim = new Map();
  for (const cell of section.cells) {
    if (!byClaim.has(cell.claim)) byClaim.set(cell.claim, []);
    byClaim.get(cell.claim).push(cell);
  }
  section.cellsOf = (id) => byClaim.get(id) ?? [];
  const {claims} = section.verdicts;
  const parts = [];
  if (claims.length > 0) {
    parts.push({id: `${section.id}-claims`, title: 'Claims', node: element('div', {}, verifyCards(section), new ClaimsTable(section).node)});
  }
  // A run that was stopped has cells and no verdicts.
  const orphans = [...byClaim.keys()].filter((id) => claims.length === 0 && byClaim.get(id).some((cell) => cell.tightness));
  if (orphans.length > 0) {
    const figures = orphans.map((id, i) => element('div', {}, element('h3', {}, id), tightnessFigure(`${section.id}-cells-${i}`, byClaim.get(id)).node));
    parts.push({id: `${section.id}-cells`, title: 'Cells that were done', node: element('div', {class: 'figures'}, figures)});
  }
  return parts;
}
