import type { Db, Reader } from '../../db/database.ts'
import type { ReadRequest, StoredTimeseries } from '../../oxql/model.ts'
import type { Settings } from '../../settings.ts'
import type { KnownSchema } from './catalogue.ts'
import type { PlainFields, SourceSamples } from './samples.ts'

/** Where samples are kept. What was provisioned, and which names were sampled, is in the database in any case. */
export interface SampleStore {
  /** For the process that takes samples. */
  writer: (db: Db) => SampleWriter
  /** The samples of one name, as the query language reads them; `now` in milliseconds. */
  read: (db: Reader, known: KnownSchema, request: ReadRequest, now: number) => AsyncIterable<StoredTimeseries>
  /** The newest sample of each timeseries that has one in `(since, now]`. */
  newest: (db: Reader, since: Date, now: Date) => AsyncIterable<NewestSample>
  /** Thins and deletes old samples, unless the store does so itself. */
  upkeep: (upkeep: Upkeep) => Promise<void>
}

export interface SampleWriter {
  /** Samples of one round, or of a part of its objects. */
  write: (batch: readonly SourceSamples[], at: Date) => Promise<void>
  /** Samples from before the first round, one a minute. */
  writePast: (batch: readonly SourceSamples[], until: Date) => Promise<void>
  /** Forgets objects that were not sampled in this round. */
  keep: (sources: ReadonlySet<string>) => void
}

export interface NewestSample {
  name: string
  fields: PlainFields
  value: number
}

export interface Upkeep {
  db: Db
  now: Date
  retention: Settings['metrics']
  isEnding: () => boolean
}
