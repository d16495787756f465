/** The fields of one timeseries, without their types, which its schema knows. */
export type PlainFields = Record<string, string | number | boolean>

/** Samples of one object: the unit that is written and read together. */
export interface SourceSamples {
  /** Names the object, for example `instance:{id}`. */
  source: string
  timeseries: SampledSeries[]
}
export interface SampledSeries {
  name: string
  fields: PlainFields
  times: number[]
  /** Since when a total is counted; absent for a gauge. */
  since?: number
  values: (number | null)[]
}
