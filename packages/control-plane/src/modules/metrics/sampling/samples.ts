/** The fields of one timeseries, without the types, which are in its schema. */
export type PlainFields = Record<string, string | number | boolean>

/** The samples of one object, written and read together. */
export interface SourceSamples {
  /** Identifies the object, for example `instance:{id}`. */
  source: string
  timeseries: SampledSeries[]
}
export interface SampledSeries {
  name: string
  fields: PlainFields
  times: number[]
  /** The start of a total; absent for a gauge. */
  since?: number
  values: (number | null)[]
}
