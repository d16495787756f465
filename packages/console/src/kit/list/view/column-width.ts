// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { listPreferenceLimits } from '@gantry/api/views/list-preference.rules'

const { widthMin, widthMax } = listPreferenceLimits

/** Widths of columns in pixels. */
export const columnWidths = {
  /** One key press. */
  step: 16,
  within: (width: number): number => Math.round(Math.max(widthMin, Math.min(widthMax, width))),
}
