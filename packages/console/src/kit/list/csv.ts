// @chunk apart: for charts and the audit log, and nothing else.
/** A line of CSV as defined by RFC 4180, without its end. */
export const csvLine = (cells: readonly (string | number)[]): string => cells.map(quoted).join(',')

/** A spreadsheet would run these texts, which other users may have written, as formulas. */
const formula = /^[=+\-@\t\r]/

function quoted(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
