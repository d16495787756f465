import { type Kysely, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { Refusal, unavailable } from '../context/refusal.ts'
import type { ClaimedJob, MadeChange, Services, Wake } from '../context/services.ts'
import { isRetryable } from './change.ts'

/** A whole request in one transaction, which is kept or rolled back at its end. */
export interface Rehearsal {
  /** What the request gets in place of the services: nothing leaves the transaction. */
  services: Services
  /** Its changes, in order. */
  changes: readonly MadeChange[]
  /** Reads inside the transaction. */
  tx: Tx
}

/** The transaction is rolled back, and this is the result. */
class RolledBack<Result> extends Error {
  constructor(readonly result: Result) {
    super('a rehearsal ended')
  }
}

/** Others changed the same rows, so everything begins again. */
class Conflicted extends Error {}
const attempts = 5

/** Runs it, and rolls everything back. */
export async function rehearse<Result>(
  services: Services,
  run: (rehearsal: Rehearsal) => Promise<Result>,
): Promise<Result> {
  // Inside of another one, only its own part is rolled back.
  const isInner = services.rehearsed !== undefined
  if (isInner) await sql`SAVEPOINT rehearsal`.execute(services.db)
  try {
    await inOneTransaction(services, async (rehearsal) => {
      throw new RolledBack(await run(rehearsal))
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
    if (isInner) await sql`ROLLBACK TO SAVEPOINT rehearsal`.execute(services.db)
    return error.result as Result
  }
  throw new Error('a rehearsal was committed')
}

/** Runs it, and commits unless it throws. What it queued begins afterwards. */
export async function perform<Result>(
  services: Services,
  run: (rehearsal: Rehearsal) => Promise<Result>,
): Promise<Result> {
  const { result, wakes, jobs } = await inOneTransaction(services, run)
  for (const name of wakes) services.wake[name]()
  await Promise.all(jobs.map((job) => services.runJob(job)))
  return result
}

async function inOneTransaction<Result>(
  services: Services,
  run: (rehearsal: Rehearsal) => Promise<Result>,
): Promise<{ result: Result; wakes: ReadonlySet<keyof Wake>; jobs: readonly ClaimedJob[] }> {
  for (let attempt = 1; ; attempt++) {
    const wakes = new Set<keyof Wake>()
    const jobs: ClaimedJob[] = []
    try {
      const result = await services.db.transaction().execute((tx) => {
        const changes: MadeChange[] = []
        return run({ services: confined(services, tx, { changes, wakes, jobs }), changes, tx })
      })
      return { result, wakes, jobs }
    } catch (error) {
      if (!(error instanceof Conflicted) && !isRetryable(error)) throw error
      if (attempt === attempts) throw unavailable('Others are changing the same objects. Try again.')
    }
  }
}

interface Kept {
  changes: MadeChange[]
  wakes: Set<keyof Wake>
  jobs: ClaimedJob[]
}

/** Services whose effects stay in the transaction, or wait for its end. */
function confined(services: Services, tx: Tx, { changes, wakes, jobs }: Kept): Services {
  const names = Object.keys(services.wake) as (keyof Wake)[]
  return {
    ...services,
    db: within(tx),
    wake: Object.fromEntries(names.map((name) => [name, () => void wakes.add(name)])) as Record<
      keyof Wake,
      () => void
    >,
    runJob: async (job) => void jobs.push(job),
    fleet: untouched(services.fleet),
    blocks: untouched(services.blocks),
    imageConverter: untouched(services.imageConverter),
    saml: untouched(services.saml),
    webhooks: untouched(services.webhooks),
    diagnosis: untouched(services.diagnosis),
    passwords: untouched(services.passwords),
    rehearsed: (made) => void changes.push(made),
  }
}

/** The transaction as a database, in which a transaction is a part of it. */
function within(tx: Tx): Services['db'] {
  const transaction = () => ({
    execute: async <Result>(run: (inner: Tx) => Promise<Result>): Promise<Result> => {
      try {
        return await run(tx)
      } catch (error) {
        // The transaction has failed as a whole: a part of it cannot be repeated.
        throw isRetryable(error)
          ? new Conflicted('the transaction must be repeated', { cause: error })
          : error
      }
    },
  })
  return new Proxy<Kysely<Tables>>(tx, {
    get(target, key) {
      if (key === 'transaction') return transaction
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

/** What is outside: its facts can be read, and what calls it cannot be planned. */
function untouched<Port>(port: Port): Port {
  if (typeof port !== 'object' || port === null) return port
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value === 'function')
        return () => {
          throw new Unplannable()
        }
      return value instanceof Set || value instanceof Map || Array.isArray(value) ? value : untouched(value)
    },
  })
}

export class Unplannable extends Refusal {
  constructor() {
    super('InvalidRequest', 'this cannot be planned, because it acts on more than the records', {
      help: 'Send the request itself.',
    })
  }
}
