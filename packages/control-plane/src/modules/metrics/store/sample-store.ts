import { sql } from 'kysely'
import type { Db, Reader } from '@gantry/control-plane/db/database'
import type { ReadRequest, StoredTimeseries } from '@gantry/control-plane/oxql/model'
import type { Settings } from '@gantry/control-plane/settings'
import type { KnownSchema } from '../query/catalogue.ts'
import type { PlainFields, SourceSamples } from '../sampling/samples.ts'

/** A store of samples. Provisioning and sampled names are always in the database. */
export interface SampleStore {
  /** The writer, for the process that takes samples. */
  writer: (db: Db) => SampleWriter
  /** The samples of one name, as the query language reads them; `now` in milliseconds. */
  read: (db: Reader, known: KnownSchema, request: ReadRequest, now: number) => AsyncIterable<StoredTimeseries>
  /** The newest sample of each timeseries with a sample in `(since, now]`; reads hardly more than it returns. */
  newest: (db: Reader, wanted: WantedNewest) => AsyncIterable<NewestSample>
  /** Downsamples and deletes old samples, unless the store does so itself. */
  upkeep: (upkeep: Upkeep) => Promise<void>
}

export interface SampleWriter {
  /** The samples of one round, or of some of its objects. */
  write: (batch: readonly SourceSamples[], at: Date) => Promise<void>
  /** Samples from before the first round, one per minute. */
  writePast: (batch: readonly SourceSamples[], until: Date) => Promise<void>
  /** Forgets objects not sampled in this round. */
  keep: (sources: ReadonlySet<string>) => void
}

/** Timeseries of everything, of a silo's projects, or of some projects. */
export type Scope = 'all' | { silo: string } | { projects: readonly string[] }

/** Whether a row of `project`, named `p`, is in the scope. */
export const isIn = (of: Exclude<Scope, 'all'>) =>
  'silo' in of ? sql<boolean>`p.silo_id = ${of.silo}` : sql<boolean>`p.id = ANY (${[...of.projects]}::uuid[])`

export interface WantedNewest {
  since: Date
  now: Date
  of: Scope
  signal?: AbortSignal | undefined
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
