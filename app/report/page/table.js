// A table of the document: columns by name, rows by index.
class Table {
  constructor(json) {
    this.columns = json.columns;
    this.rows = json.rows;
    // Texts stand in the document once each.
    this.data = json.data.map((values) => (Array.isArray(values) ? values.map(numberOf) : values.at.map((place) => values.texts[place])));
  }

  static fromRows(columns, rows) {
    const table = new Table({columns, rows: rows.length, data: []});
    table.data = columns.map((_, c) => rows.map((row) => row[c]));
    return table;
  }

  has(name) {
    return this.columns.includes(name);
  }

  column(name) {
    const index = this.columns.indexOf(name);
    return index < 0 ? [] : this.data[index];
  }

  row(index) {
    return this.data.map((values) => values[index]);
  }

  // The rows whose columns have these values: where({top: 5, length: 1024}).
  where(wanted) {
    const tests = Object.entries(wanted).map(([name, value]) => [this.column(name), value]);
    const found = [];
    for (let row = 0; row < this.rows; ++row) {
      if (tests.every(([values, value]) => values[row] === value)) found.push(row);
    }
    return found;
  }

  // A column at some rows.
  at(name, rows) {
    const values = this.column(name);
    return rows.map((row) => values[row]);
  }

  // Some columns at some rows as a table of their own.
  part(names, rows) {
    return Table.fromRows(names, rows.map((row) => names.map((name) => this.column(name)[row])));
  }
}
