// A figure: title, pickers, legend, plot, caption, numbers. `state()` gives what it shows now:
// {series, traces, layout, table, caption, label}. Series make the legend, whose entries hide and show them; traces(hidden)
// and layout(hidden) are for Plotly; height() where it depends on the width of the window. Without traces the series are drawn as lines, without series there is no legend.
class Figure {
  constructor({id, title, controls = [], height = 340, half = false, state}) {
    this.state = state;
    this.hidden = new Set();
    this.current = state();
    this.plot = new Plot(() => this.drawn(), height);
    this.legend = element('div');
    this.caption = element('figcaption');
    this.numbers = numbersPanel(id, () => this.current.table);
    this.node = element('figure', {id, class: half ? 'figure half' : 'figure'},
      element('h3', {}, title),
      controls.length > 0 && element('div', {class: 'controls'}, controls.map((control) => control.node ?? control)),
      this.legend, this.plot.node, this.caption, this.numbers.node);
    this.title = title;
    this.dress();
  }

  drawn() {
    const {series, traces, layout, label, height} = this.current;
    return {traces: traces ? traces(this.hidden) : seriesTraces(series, this.hidden), layout: layout(this.hidden), height: height?.(),
      label: `${this.title}. ${label ?? ''}`};
  }

  dress() {
    const {series, caption} = this.current;
    replaceChildren(this.legend, series ? seriesLegend(series, this.hidden, () => this.plot.update()) : null);
    replaceChildren(this.caption, caption);
  }

  update() {
    this.current = this.state();
    this.dress();
    this.plot.update();
    this.numbers.refresh();
  }
}
