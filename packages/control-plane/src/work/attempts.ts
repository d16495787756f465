import { parseIp } from '@gantry/api/base/ip.rules'
import { sql } from 'kysely'
import type { Cx } from '../context/cx.ts'
import { forgetOlder } from '../db/retention.ts'
import type { Services } from '../context/services.ts'
import { clockSkewMs } from '../context/time.ts'
import { Refusal } from '../context/refusal.ts'

/** A token bucket: `burst` attempts, refilled by one every `everySeconds`. */
export interface Limit {
  name: string
  burst: number
  everySeconds: number
}

export interface Bucket {
  limit: Limit
  /** The bucket's subject: an address or an account. */
  of: string
  /** Pays while this bucket is empty; without it, an empty bucket refuses. */
  otherwise?: Bucket
}

/**
 * Runs a rate-limited attempt, at the price of one token from each bucket. Success is refunded, so that
 * legitimate users are not locked out by each other. Tokens are taken before any look-up: parallel attempts
 * get no further than sequential ones, and a refusal here reveals nothing. Buckets are rows, so all processes
 * share them.
 */
export async function attempt<Result>(
  cx: Cx,
  buckets: readonly Bucket[],
  run: () => Promise<Result>,
): Promise<Result> {
  const paid = await spend(cx, buckets)
  const result = await run()
  await giveBack(cx.services, paid)
  return result
}

/** Like `attempt`, for operations whose successes are limited too. Returns the buckets that paid. */
export async function spend({ services }: Cx, buckets: readonly Bucket[]): Promise<readonly Bucket[]> {
  const paid: Bucket[] = []
  for (const bucket of buckets) {
    let from: Bucket = bucket
    let waitSeconds = await take(services, from)
    while (waitSeconds > 0 && from.otherwise) {
      from = from.otherwise
      waitSeconds = await take(services, from)
    }
    if (waitSeconds > 0) {
      await giveBack(services, paid)
      throw new Refusal('TooManyRequests', 'too many attempts', {
        help: `Wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}, then try again.`,
        retryAfter: waitSeconds,
      })
    }
    paid.push(from)
  }
  return paid
}

/**
 * Takes one token in a single statement, which serialises concurrent callers; otherwise returns the seconds
 * until the next token. A bucket is stored as the time at which it is full again, so a time in the past means
 * full. A value beyond an empty bucket was written while the clock was ahead; it is treated as having one
 * token left, because its owner would otherwise wait for the clock to catch up.
 */
async function take({ db, clock }: Services, { limit, of }: Bucket): Promise<number> {
  const now = clock()
  const key = keyOf({ limit, of })
  // A later time would mean that no token is left.
  const latest = new Date(now.getTime() + (limit.burst - 1) * limit.everySeconds * 1000)
  const refilled = new Date(now.getTime() + limit.everySeconds * 1000)
  const taken = await db
    .insertInto('attempt')
    .values({ key, full_at: refilled })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          full_at: sql<Date>`GREATEST(attempt.full_at, ${now}) + ${limit.everySeconds} * interval '1 second'`,
        })
        .where('attempt.full_at', '<=', latest),
    )
    .returning('full_at')
    .executeTakeFirst()
  if (taken) return 0
  const emptied = new Date(now.getTime() + limit.burst * limit.everySeconds * 1000)
  const repaired = await db
    .updateTable('attempt')
    .set({ full_at: emptied })
    .where('key', '=', key)
    .where('full_at', '>', new Date(emptied.getTime() + clockSkewMs))
    .executeTakeFirst()
  if (repaired.numUpdatedRows > 0n) return 0
  const row = await db.selectFrom('attempt').select('full_at').where('key', '=', key).executeTakeFirst()
  const waitMs = (row?.full_at.getTime() ?? 0) - latest.getTime()
  return Math.max(1, Math.ceil(waitMs / 1000))
}

async function giveBack({ db }: Services, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets)
    await db
      .updateTable('attempt')
      .set({ full_at: sql<Date>`full_at - ${bucket.limit.everySeconds} * interval '1 second'` })
      .where('key', '=', keyOf(bucket))
      .execute()
}

const keyOf = ({ limit, of }: Bucket): string => `${limit.name} ${of}`

/** No bucket takes this long to refill; a later time was written while the clock was ahead. */
const fullWithinMs = 24 * 3_600_000

/** Deletes full buckets: a missing row means the same. */
export async function forgetFullBuckets(services: Services): Promise<void> {
  const now = services.clock()
  await forgetOlder(services, { table: 'attempt', time: 'full_at', before: now })
  const impossible = new Date(now.getTime() + fullWithinMs)
  await services.db.deleteFrom('attempt').where('full_at', '>', impossible).execute()
}

/** The key that attempts from an address share: an IPv6 customer usually controls a whole /64. */
export function networkOf(address: string): string {
  const ip = parseIp(address)
  return ip?.version === 6 ? `${(ip.value >> 64n).toString(16)}::/64` : address
}
