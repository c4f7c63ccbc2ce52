// RFC 4180, as the program writes it.
function csvCell(value) {
  const text = exactNumber(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function csvText(table) {
  const lines = [table.columns.map(csvCell).join(',')];
  for (let row = 0; row < table.rows; ++row) lines.push(table.row(row).map(csvCell).join(','));
  return lines.join('\n') + '\n';
}

function download(name, text, type) {
  const link = element('a', {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
