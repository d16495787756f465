import type { Db } from '@gantry/control-plane/db/database'
import { RecordedNames } from '../../sampling/recorded-names.ts'
import type { PlainFields, SourceSamples } from '../../sampling/samples.ts'
import { resolutions } from '../points.ts'
import type { SampleWriter } from '../sample-store.ts'
import { byWindow } from './by-window.ts'
import type { PointsBySeries } from './codec.ts'
import { rowsPerStatement, writeBlocks, writeRound } from './rows.ts'

interface KnownObject {
  id: number
  series: Map<string, number>
}

/** Writes samples under the numbers of their objects and series. Used only by the process that takes samples. */
export class DatabaseWriter implements SampleWriter {
  readonly #known = new Map<string, KnownObject>()
  readonly #names: RecordedNames

  constructor(readonly db: Db) {
    this.#names = new RecordedNames(db)
  }

  async write(batch: readonly SourceSamples[], at: Date): Promise<void> {
    await writeRound(this.db, at, await this.number(batch, at))
  }

  async writePast(batch: readonly SourceSamples[], until: Date): Promise<void> {
    const { resolution, windowMs } = resolutions[1]
    for (const [starts, objects] of byWindow(await this.number(batch, until), windowMs))
      await writeBlocks(this.db, resolution, new Date(starts), objects)
  }

  /** Forgets objects not sampled in this round. */
  keep(sources: ReadonlySet<string>): void {
    for (const source of this.#known.keys()) if (!sources.has(source)) this.#known.delete(source)
  }

  /** The samples by object and series. Assigns numbers to new timeseries first. */
  async number(batch: readonly SourceSamples[], now: Date): Promise<Map<number, PointsBySeries>> {
    await this.#load(
      batch.map(({ source }) => source).filter((source) => !this.#known.has(source)),
      now,
    )
    const added: { object: number; series: number; name: string; fields: string }[] = []
    const numbered = new Map<number, PointsBySeries>()
    for (const { source, timeseries } of batch) {
      const object = this.#known.get(source)
      if (!object) throw new Error(`no object for ${source}`)
      const points: PointsBySeries = new Map()
      // Samples of one object share their start column, so that comparing identities suffices.
      for (const { name, fields, times, since, values } of timeseries) {
        const key = keyOf(name, fields)
        let series = object.series.get(key)
        if (series === undefined) {
          series = object.series.size
          object.series.set(key, series)
          added.push({ object: object.id, series, name, fields: JSON.stringify(fields) })
        }
        points.set(series, { times, starts: since === undefined ? null : times.map(() => since), values })
      }
      numbered.set(object.id, points)
    }
    try {
      await this.#add(added, now)
    } catch (error) {
      // Numbers that were not stored would count as known, and their samples could never be read.
      for (const { source } of batch) this.#known.delete(source)
      throw error
    }
    return numbered
  }

  async #load(sources: readonly string[], now: Date): Promise<void> {
    for (let at = 0; at < sources.length; at += rowsPerStatement) {
      const some = sources.slice(at, at + rowsPerStatement)
      const { last } = await this.db
        .selectFrom('metric_lane')
        .select((eb) => eb.fn.max('id').as('last'))
        .executeTakeFirstOrThrow()
      await this.db
        .insertInto('metric_lane')
        .values(some.map((source, index) => ({ id: (last ?? 0) + 1 + index, source, last_at: now })))
        .onConflict((conflict) =>
          // Finds an object that is sampled again after a pause.
          conflict.column('source').doUpdateSet((eb) => ({ last_at: eb.ref('excluded.last_at') })),
        )
        .execute()
      const rows = await this.db
        .selectFrom('metric_lane as l')
        .leftJoin('timeseries as t', 't.lane', 'l.id')
        .select(['l.id', 'l.source', 't.slot as series', 't.name', 't.fields'])
        .where('l.source', 'in', some)
        .execute()
      for (const { id, source, series, name, fields } of rows) {
        const object = this.#known.get(source) ?? { id, series: new Map<string, number>() }
        this.#known.set(source, object)
        if (series !== null && name !== null && fields !== null)
          object.series.set(keyOf(name, fields), series)
      }
    }
  }

  async #add(
    added: readonly { object: number; series: number; name: string; fields: string }[],
    now: Date,
  ): Promise<void> {
    await this.#names.add(
      added.map(({ name }) => name),
      now,
    )
    for (let at = 0; at < added.length; at += 10 * rowsPerStatement)
      await this.db
        .insertInto('timeseries')
        .values(
          added
            .slice(at, at + 10 * rowsPerStatement)
            .map(({ object: lane, series: slot, name, fields }) => ({ lane, slot, name, fields })),
        )
        .execute()
  }
}

const keyOf = (name: string, fields: PlainFields): string =>
  `${name} ${Object.keys(fields)
    .sort()
    .map((field) => `${field}=${String(fields[field])}`)
    .join(' ')}`
