// Elements are made here and nowhere from markup, so whatever a file holds is shown as text.

function fill(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

// element('button', {class: 'plain', onclick: f, 'aria-label': '…'}, child, …)
function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'open') node[name] = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  return fill(node, children);
}

function drawing(tag, properties = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(properties)) node.setAttribute(name, String(value));
  return fill(node, children);
}

function replaceChildren(node, ...children) {
  node.replaceChildren();
  return fill(node, children);
}

// Plotly reads a little markup in its texts; what comes from a file must not be taken for it.
function plotText(text) {
  return String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
