// Numbers of files: JSON has no word for what is not finite, so those come as strings.
function numberOf(value) {
  if (value === 'inf') return Infinity;
  if (value === '-inf') return -Infinity;
  if (value === 'nan') return NaN;
  return value;
}

const finite = (value) => typeof value === 'number' && Number.isFinite(value);

// For people: five significant digits at most.
function shortNumber(value, digits = 4) {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return value.toLocaleString('en').replace('-', '−');
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  const [mantissa, exponent] = text.split('e');
  if (exponent === undefined) return mantissa.replace('-', '−');
  const raised = String(Number(exponent)).replace(/[-0-9]/g, (c) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)]);
  return `${Number(mantissa)}·10${raised}`.replace('-', '−');
}

// For files: the shortest text that reads back as the same number.
function exactNumber(value) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'number') return String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return String(value);
}

const distinct = (values) => [...new Set(values)].sort((a, b) => a - b);

// Least and largest; of nothing, [NaN, NaN].
function extent(values) {
  return values.reduce(([least, most], value) => [value < least ? value : least, value > most ? value : most], [values[0] ?? NaN, values[0] ?? NaN]);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

// Type 7, as in the static figures.
function quantile(values, share) {
  const sorted = values.filter(finite).sort((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}
