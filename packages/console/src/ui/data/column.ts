import type { ReactNode } from 'react'

export type Column<T> = {
  id: string
  header: ReactNode
  /** Its name in the menu of columns, if the header is more than text. */
  label?: string
  /** Hidden until the user chooses it. */
  isOptional?: true
  cell: (row: T) => ReactNode
  align?: 'left' | 'right'
  /** Any CSS width; applies from 768 px up. */
  width?: string
  /** The user's own width, in pixels. */
  ownWidth?: number | undefined
  /**
   * The cell's place on the card that replaces a row below 768 px; a `line` has a line of its own. The first column
   * is the name by default.
   */
  part?: 'name' | 'state' | 'figure' | 'meta' | 'line' | 'select'
  /** The rows' order by this column, if its head sorts. */
  sorted?: 'ascending' | 'descending' | 'none'
  /** Below 768 px, where there are no heads, the header's text precedes the cell's content. */
  isLabelled?: true
  /** Low columns hide first: they are visible from 1050 px up only. */
  rank?: 'low'
}

/** The columns of a table, including the one for row menus. */
export type Shape<T> = { columns: readonly Column<T>[]; hasMenu: boolean }

/** The name of a column in words; undefined for columns without one, such as checkboxes. */
export const labelOf = ({ label, header }: Column<never>): string | undefined =>
  label ?? (typeof header === 'string' && header !== '' ? header : undefined)
