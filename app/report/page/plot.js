// One Plotly plot in the look of the page: drawn when it comes near the window, and again when theme, width or numbers
// have changed; far from the window not before it comes near.

const nearWindow = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const {plot} = entry.target;
    plot.near = entry.isIntersecting;
    if (plot.near) plot.show();
  }
}, {rootMargin: '600px'});

const allPlots = new Set();

class Plot {
  // make() gives {traces, layout, label, height}; label is what a screen reader says, a height replaces the plot's own.
  constructor(make, height) {
    this.make = make;
    this.near = false;
    this.shown = false;
    this.stale = true;
    this.node = element('div', {class: 'plot', role: 'img'});
    this.node.style.height = `${height}px`;
    this.height = height;
    this.node.plot = this;
    allPlots.add(this);
    nearWindow.observe(this.node);
    themeListeners.add(() => this.update());
  }

  // Draws it unless it stands there as it should.
  show() {
    if (this.stale) this.draw();
  }

  // Something it shows has changed.
  update() {
    this.stale = true;
    if (this.shown && this.near) this.draw();
  }

  draw(width) {
    // What is folded away has no width to be drawn in.
    if (this.node.offsetParent === null) return;
    const {traces, layout, label, height = this.height} = this.make();
    setAttributePlainly.call(this.node, 'aria-label', label);
    this.node.style.height = `${height}px`;
    const size = {height, width: width ?? this.node.clientWidth};
    Plotly.react(this.node, traces, {...plotLayout(layout), ...size}, plotSettings);
    this.shown = true;
    this.stale = width !== undefined;
    this.listen();
  }

  // A click on a point, once Plotly has made the node one that can be clicked on.
  listen() {
    if (!this.onclick || this.listening) return;
    this.listening = true;
    this.node.on('plotly_click', (event) => this.onclick(event.points[0]));
  }
}

const plotSettings = {
  displaylogo: false,
  modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d', 'zoomIn2d', 'zoomOut2d', 'pan2d', 'zoom2d'],
  toImageButtonOptions: {format: 'svg', scale: 1},
};

function axisLayout(axis = {}) {
  return {
    gridcolor: colour('grid'), linecolor: colour('axis'), zeroline: false, ticks: 'outside', ticklen: 4,
    tickcolor: colour('axis'), automargin: true, fixedrange: false, exponentformat: 'power', ...axis,
    title: {text: axis.title ?? '', standoff: 10},
  };
}

function plotLayout(layout) {
  const {xaxis, yaxis, yaxis2, ...rest} = layout;
  const made = {
    font: {family: 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif', size: 12.5,
      color: colour('ink')},
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', showlegend: false,
    margin: {l: 56, r: 14, t: 10, b: 48}, hovermode: 'closest', dragmode: 'zoom',
    hoverlabel: {bgcolor: colour('raised'), bordercolor: colour('axis'), font: {color: colour('ink')}},
    modebar: {bgcolor: 'rgba(0,0,0,0)', color: colour('quiet'), activecolor: colour('ink')},
    xaxis: axisLayout(xaxis), yaxis: axisLayout(yaxis), ...rest,
  };
  if (yaxis2) made.yaxis2 = axisLayout(yaxis2);
  return made;
}

// Ticks at the values of a grid, on a logarithmic axis; of values too close for their labels only some, the powers of
// two and ten first.
function gridAxis(values, title) {
  const grid = distinct(values.filter((value) => value > 0));
  const least = Math.log(grid.at(-1) / grid[0]) / 11;
  const round = (value) => Number.isInteger(Math.log2(value)) || Number.isInteger(Math.log10(value));
  const ticks = [];
  for (const value of [...grid.filter(round), ...grid.filter((one) => !round(one))]) {
    if (ticks.every((tick) => Math.abs(Math.log(value / tick)) >= least)) ticks.push(value);
  }
  return {type: 'log', tickangle: 0, title, tickvals: ticks, ticktext: ticks.map((value) => shortNumber(value)), minor: {ticks: ''}};
}

// A logarithmic axis for some values: over less than two decades with 1, 2 and 5 of each, for powers of ten alone would
// leave it without ticks.
function logAxis(values, title) {
  const [least, most] = extent(values.filter((value) => finite(value) && value > 0));
  if (!(most / least < 100)) return {type: 'log', title, dtick: 1};
  const ticks = [];
  for (let decade = Math.floor(Math.log10(least)); decade <= Math.ceil(Math.log10(most)); ++decade) {
    ticks.push(...[1, 2, 5].map((digit) => Number(`${digit}e${decade}`)));
  }
  return {type: 'log', title, tickvals: ticks, ticktext: ticks.map((tick) => shortNumber(tick)), minor: {ticks: ''}};
}

let resizeTimer = 0;
addEventListener('resize', () => {
  clearTimeout(resizeTimer);
  resizeTimer = setTimeout(() => allPlots.forEach((plot) => plot.update()), 120);
});

// Paper is 180 mm wide between its margins, one figure below the other, and always light.
const paperWidth = 660;
addEventListener('beforeprint', () => {
  printing = true;
  document.documentElement.dataset.theme = 'light';
  for (const plot of allPlots) plot.draw(paperWidth);
});
addEventListener('afterprint', () => {
  printing = false;
  applyTheme();
});
