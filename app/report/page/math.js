// MathML, which browsers read without a library. A formula is written as words apart by blanks, a word as letter_sub^sup;
// fractions, roots and sums are nodes between them: math('D =', sum('i ∈ O', '‖ s − y_i ‖')).

const mathNamespace = 'http://www.w3.org/1998/Math/MathML';

function mathNode(tag, ...children) {
  return fill(document.createElementNS(mathNamespace, tag), children);
}

function mathAtom(text) {
  if (/^[0-9.,]+$/.test(text)) return mathNode('mn', text);
  if (/^\p{L}[\p{L}\p{M}]*['′]?$/u.test(text)) return mathNode('mi', text);
  const operator = mathNode('mo', text);
  if (text === '‖' || text === '|') operator.setAttribute('stretchy', 'false');
  return operator;
}

function mathWord(word) {
  const parts = /^([^_^]+)(?:_([^_^]+))?(?:\^([^_^]+))?$/.exec(word);
  if (!parts) return mathNode('mtext', word);
  const [, base, below, above] = parts;
  if (below && above) return mathNode('msubsup', mathAtom(base), mathAtom(below), mathAtom(above));
  if (below) return mathNode('msub', mathAtom(base), mathAtom(below));
  if (above) return mathNode('msup', mathAtom(base), mathAtom(above));
  return mathAtom(base);
}

function mathRow(...parts) {
  const nodes = parts.flatMap((part) =>
    part instanceof Node ? [part] : part.split(' ').filter(Boolean).map(mathWord));
  return nodes.length === 1 ? nodes[0] : mathNode('mrow', nodes);
}

const fraction = (above, below) => mathNode('mfrac', mathRow(above), mathRow(below));
const root = (...inside) => mathNode('msqrt', mathRow(...inside));
const raised = (base, power) => mathNode('msup', mathRow(base), mathRow(power));
const lowered = (base, index) => mathNode('msub', mathRow(base), mathRow(index));
const sum = (under, ...body) => mathRow(mathNode('munder', mathNode('mo', '∑'), mathRow(under)), ...body);

function math(...parts) {
  const node = mathNode('math', mathRow(...parts));
  node.setAttribute('class', 'formula');
  return node;
}

// With fractions and sums at their full size.
function largeMath(node) {
  node.setAttribute('displaystyle', 'true');
  return node;
}
