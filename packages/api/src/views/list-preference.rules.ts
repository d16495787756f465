import { isLonger } from '../base/text.rules.ts'

/** Bounds of what a user chooses for lists. */
export const listPreferenceLimits = {
  /** Lists that differ from their default. */
  lists: 200,
  /** Columns of one list, with those that it had before. */
  columns: 60,
  /** Characters of the id of a column. */
  idLength: 63,
  /** Widths of columns, in pixels. */
  widthMin: 48,
  widthMax: 1600,
  pageSizeMax: 1000,
  /** Saved views of one list. */
  views: 50,
  viewNameLength: 63,
} as const

/** Rows per page of a list whose user chose no other number. */
export const listPageSize = 50

/** Why a saved view cannot have this name beside the others of its list; undefined if it can. */
export function viewNameProblem(name: string, others: readonly string[]): string | undefined {
  const { viewNameLength } = listPreferenceLimits
  if (name.trim() === '') return 'Give the view a name.'
  if (name !== name.trim()) return 'The name of a view neither begins nor ends with a blank.'
  if (isLonger(name, viewNameLength)) return `The name of a view has at most ${viewNameLength} characters.`
  const isTaken = others.some((other) => other.toLowerCase() === name.toLowerCase())
  return isTaken ? `There is a view "${name}" already. Give this one another name.` : undefined
}
