/** A line of a chart. A null is a gap. */
export interface ChartSeries {
  label: string
  values: readonly (number | null)[]
  /** Beside the others for comparison: dashed and without a fill. */
  isReference?: boolean
}

/** What a chart draws: values in the unit shown, at moments in seconds since 1970, ascending. */
export interface ChartData {
  times: readonly number[]
  series: readonly ChartSeries[]
  /** The top of the value axis. */
  top: number
  /** Text of a mark of the axis. */
  tick: (value: number) => string
  /** Text of a value, with its unit. */
  value: (value: number) => string
  /** Values hold until the next point instead of leading to it. */
  isStepped?: boolean
}

/** Something that happened, marked on the time axis. */
export interface ChartMark {
  /** Seconds since 1970. */
  time: number
  label: string
}

/** From and to, in seconds since 1970. */
export type ChartRange = readonly [start: number, end: number]
