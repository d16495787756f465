import type { Db, Reader } from '@gantry/control-plane/db/database'

/** The sampled names and their first times; each is written once. */
export class RecordedNames {
  readonly #known = new Set<string>()

  constructor(readonly db: Db) {}

  async add(names: Iterable<string>, now: Date): Promise<void> {
    const added = [...new Set(names)].filter((name) => !this.#known.has(name))
    if (added.length === 0) return
    await this.db
      .insertInto('timeseries_name')
      .values(added.map((name) => ({ name, time_created: now })))
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    for (const name of added) this.#known.add(name)
  }
}

export const isRecorded = async (db: Reader, name: string): Promise<boolean> =>
  (await db.selectFrom('timeseries_name').select('name').where('name', '=', name).executeTakeFirst()) !==
  undefined
