// Dark or light. Colours stand in page.css alone; plots read them from there.
const themeListeners = new Set();

const systemTheme = matchMedia('(prefers-color-scheme: dark)');
let chosenTheme = null;
let printing = false;

function currentTheme() {
  if (printing) return 'light';
  return chosenTheme ?? (systemTheme.matches ? 'dark' : 'light');
}

function applyTheme() {
  document.documentElement.dataset.theme = currentTheme();
  for (const listener of themeListeners) listener();
}

function colour(name, opacity = 1) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (opacity === 1) return value;
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16));
  return `rgba(${r}, ${g}, ${b}, ${opacity})`;
}

function themeButton() {
  const button = element('button', {class: 'theme', type: 'button', onclick: () => {
    chosenTheme = currentTheme() === 'dark' ? 'light' : 'dark';
    applyTheme();
  }});
  const label = () => replaceChildren(button, currentTheme() === 'dark' ? '☀ Light' : '☾ Dark');
  themeListeners.add(label);
  label();
  return button;
}

systemTheme.addEventListener('change', applyTheme);
