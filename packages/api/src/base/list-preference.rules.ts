/** Bounds of what a person chooses for a list. */
export const listPreferenceLimits = {
  /** Widths of columns, in pixels. */
  widthMin: 48,
  widthMax: 1600,
} as const
