/** A line of a chart. A null is a gap. */
export interface ChartSeries {
  label: string
  values: readonly (number | null)[]
  /** For comparison: dashed and without a fill. */
  isReference?: boolean
}

/** A chart's data: values in the displayed unit, at times in seconds since 1970, ascending. */
export interface ChartData {
  times: readonly number[]
  series: readonly ChartSeries[]
  /** The top of the value axis. */
  top: number
  /** The text of a tick. */
  tick: (value: number) => string
  /** Text of a value, with its unit. */
  value: (value: number) => string
  /** The divisor of the values, if their unit does not imply it. */
  factor?: number
  /** Values hold until the next point instead of leading to it. */
  isStepped?: boolean
}

/** An event marked on the time axis. */
export interface ChartMark {
  /** Seconds since 1970. */
  time: number
  label: string
}

/** From and to, in seconds since 1970. */
export type ChartRange = readonly [start: number, end: number]
