// Labelled choices. A picker has node, value, and calls onchange after the user changed it.
let pickerCount = 0;

class Picker {
  // options: [value, text] pairs, or values
  constructor(label, options, value, onchange) {
    this.options = options.map((option) => (Array.isArray(option) ? option : [option, shortNumber(option)]));
    const id = `picker-${++pickerCount}`;
    this.select = element('select', {id, onchange: () => onchange(this.value)},
      this.options.map(([, text], index) => element('option', {value: index}, text)));
    this.node = element('span', {class: 'picker'}, element('label', {for: id}, label), this.select);
    this.set(value);
  }

  get value() {
    return this.options[this.select.value]?.[0];
  }

  set(value) {
    const index = this.options.findIndex(([own]) => own === value);
    this.select.value = String(Math.max(index, 0));
  }

  offer(options, value) {
    this.options = options.map((option) => (Array.isArray(option) ? option : [option, shortNumber(option)]));
    replaceChildren(this.select, this.options.map(([, text], index) => element('option', {value: index}, text)));
    this.set(value);
  }
}

// A slider over the values of an axis.
class Slider {
  constructor(label, values, value, onchange, text = shortNumber) {
    this.values = values;
    const id = `picker-${++pickerCount}`;
    this.input = element('input', {id, type: 'range', min: 0, max: Math.max(values.length - 1, 0), step: 1,
      oninput: () => {
        this.tell();
        onchange(this.value);
      }});
    this.output = element('output', {for: id});
    this.node = element('span', {class: 'picker slider'}, element('label', {for: id}, label), this.input, this.output);
    this.text = text;
    this.input.value = String(Math.max(values.indexOf(value), 0));
    this.tell();
  }

  get value() {
    return this.values[Number(this.input.value)];
  }

  tell() {
    this.output.textContent = this.text(this.value);
    this.input.setAttribute('aria-valuetext', this.text(this.value));
  }
}
