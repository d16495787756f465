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
} as const

/** Rows per page of a list whose user chose no other number. */
export const listPageSize = 50
