import type { ReactNode } from 'react'

export type Column<T> = {
  id: string
  header: ReactNode
  cell: (row: T) => ReactNode
  align?: 'left' | 'right'
  /** Any CSS width, from 768 px up. */
  width?: string
  /**
   * What the cell is on the card that a row becomes under 768 px; a `line` is alone in its line. The first column is the
   * name by default.
   */
  part?: 'name' | 'state' | 'figure' | 'meta' | 'line' | 'select'
  /** The order that the rows have by this column, where its head sorts. */
  sorted?: 'ascending' | 'descending' | 'none'
  /** Below 768 px, where there are no heads, the header, a text, precedes the cell's content. */
  isLabelled?: true
  /** Low goes first when there is little room: it is shown from 1050 px up only. */
  rank?: 'low'
}

/** The columns of a table, with the one for row menus. */
export type Shape<T> = { columns: readonly Column<T>[]; hasMenu: boolean }
