// The claims as a table to sort, filter and open.
const verdictSigns = {holds: '✓', refuted: '✗', inconclusive: '?', vacuous: '∅', measured: '≈'};

function verdictBadge(verdict) {
  return element('span', {class: `badge verdict-${Object.hasOwn(verdictSigns, verdict) ? verdict : 'other'}`},
    element('span', {'aria-hidden': 'true'}, `${verdictSigns[verdict] ?? '·'} `), verdict);
}

const claimColumns = [
  {name: 'Claim', key: 'id', value: (claim) => claim.order},
  {name: 'Verdict', key: 'verdict', value: (claim) => claim.verdict},
  {name: 'Expected', key: 'expected', value: (claim) => claim.expected},
  {name: 'Kind', key: 'kind', value: (claim) => claim.kind},
  {name: 'Tightness', key: 'tightness', value: (claim) => (claim.tightness ? numberOf(claim.tightness.max) : -1)},
  {name: 'Trials', key: 'trials', value: (claim) => claim.trials},
];

class ClaimsTable {
  constructor(section) {
    this.section = section;
    this.claims = section.verdicts.claims.map((claim, order) => ({...claim, order}));
    this.sort = {key: 'id', down: false};
    this.search = element('input', {type: 'search', id: `${section.id}-search`, oninput: () => this.show(), placeholder: 'words of id, statement or source'});
    const choice = (label, key) => {
      const values = [...new Set(this.claims.map((claim) => claim[key]))].sort();
      return new Picker(label, [[null, 'all'], ...values.map((value) => [value, value])], null, () => this.show());
    };
    this.verdict = choice('Verdict', 'verdict');
    this.kind = choice('Kind', 'kind');
    this.unexpected = element('input', {type: 'checkbox', id: `${section.id}-unexpected`, onchange: () => this.show()});
    this.count = element('p', {class: 'count', role: 'status'});
    this.head = element('tr');
    this.body = element('tbody');
    this.rows = new Map(this.claims.map((claim) => [claim.id, this.makeRow(claim)]));
    this.node = element('div', {},
      element('div', {class: 'controls', role: 'search'},
        element('span', {class: 'picker wide'}, element('label', {for: this.search.id}, 'Search'), this.search), this.verdict.node, this.kind.node,
        element('span', {class: 'picker check'}, this.unexpected, element('label', {for: this.unexpected.id}, 'only unexpected'))),
      this.count,
      element('table', {class: 'claims'}, element('caption', {}, 'Tightness is observed over bound (bound over observed for a lower bound), drawn from 0.02 to 50 with a line at 1, where a bound is attained: ticks are medians of single cells, the bar reaches from the median to the 95 % quantile of all inputs, dot and number are the largest.'),
        element('thead', {}, this.head), this.body),
      element('div', {class: 'numbers-bar'}, element('button', {type: 'button', class: 'download', onclick: () => download('claims.csv', csvText(this.table()), 'text/csv')}, 'Download CSV')));
    this.show();
  }

  makeRow(claim) {
    const detail = element('td', {colspan: claimColumns.length});
    const below = element('tr', {class: 'detail', hidden: true, id: `${this.section.id}-detail-${claim.order}`}, detail);
    const button = element('button', {type: 'button', class: 'open', 'aria-expanded': 'false', 'aria-controls': below.id, onclick: () => {
      const open = below.hidden;
      if (open && !detail.firstChild) detail.append(claimDetail(this.section, claim));
      below.hidden = !open;
      button.setAttribute('aria-expanded', String(open));
      detail.querySelectorAll('.plot').forEach((node) => node.plot.update());
    }}, claim.id);
    const cell = (label, ...content) => element('td', {'data-label': label}, ...content);
    const row = element('tr', {class: claim.verdict === claim.expected ? 'claim' : 'claim unexpected'},
      element('th', {scope: 'row'}, button), cell('Verdict', verdictBadge(claim.verdict)),
      cell('Expected', claim.verdict === claim.expected ? claim.expected : element('strong', {}, `${claim.expected} – not as expected`)), cell('Kind', claim.kind),
      cell('Tightness', claim.tightness ? tightnessStrip(claim, this.section.cellsOf(claim.id)) : '–'),
      element('td', {'data-label': 'Trials', class: 'number'}, shortNumber(claim.trials)));
    return [row, below];
  }

  matches(claim) {
    const text = this.section.texts[claim.id] ?? {};
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const where = [claim.id, text.statement, text.source, text.assumptions, claim.reason].join(' ').toLowerCase();
    return words.every((word) => where.includes(word)) && (this.verdict.value === null || claim.verdict === this.verdict.value) &&
      (this.kind.value === null || claim.kind === this.kind.value) && (!this.unexpected.checked || claim.verdict !== claim.expected);
  }

  shown() {
    const {value} = claimColumns.find(({key}) => key === this.sort.key);
    const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : a.order - b.order);
    const found = this.claims.filter((claim) => this.matches(claim)).sort(order);
    return this.sort.down ? found.reverse() : found;
  }

  table() {
    return Table.fromRows(['id', 'verdict', 'expected', 'kind', 'q50', 'q95', 'max', 'trials', 'reason'], this.shown().map((claim) => [claim.id, claim.verdict, claim.expected, claim.kind,
      ...['q50', 'q95', 'max'].map((key) => (claim.tightness ? numberOf(claim.tightness[key]) : null)), claim.trials, claim.reason]));
  }

  show() {
    const found = this.shown();
    replaceChildren(this.head, claimColumns.map(({name, key}) => element('th', {scope: 'col', 'aria-sort': this.sort.key === key ? (this.sort.down ? 'descending' : 'ascending') : 'none'},
      element('button', {type: 'button', onclick: () => {
        this.sort = {key, down: this.sort.key === key && !this.sort.down};
        this.show();
        this.head.querySelectorAll('button')[claimColumns.findIndex((column) => column.key === key)].focus();
      }}, name, element('span', {class: 'arrow', 'aria-hidden': 'true'}, this.sort.key === key ? (this.sort.down ? ' ▼' : ' ▲') : ' ↕')))));
    replaceChildren(this.body, found.map((claim) => this.rows.get(claim.id)));
    this.count.textContent = found.length === this.claims.length ? `${found.length} claims` : `${found.length} of ${this.claims.length} claims`;
  }
}
