// @chunk apart: for charts and exports, and nothing else.
/** A line of CSV as defined by RFC 4180, without its end. */
export const csvLine = (cells: readonly (string | number)[]): string => cells.map(quoted).join(',')

/** A line of a text that is pasted, also into a spreadsheet, which then puts each cell into its own column. */
export const plainLine = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => String(guarded(cell)).replaceAll(/\s*[\t\r\n]\s*/g, ' ')).join('\t')

/** A spreadsheet would run these texts, which other users may have written, as formulas. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u

const guarded = (cell: string | number): string | number =>
  typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell

function quoted(cell: string | number): string {
  const text = guarded(cell)
  if (typeof text === 'number') return String(text)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
