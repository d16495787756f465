import { parseIp } from '@gantry/api/ip.rules'
import { sql } from 'kysely'
import type { Cx, Services } from './cx.ts'
import { clockSkewMs } from './clock.ts'
import { Refusal } from './refusal.ts'

/** A bucket of so many attempts, into which one comes back after so many seconds. */
export interface Limit {
  name: string
  burst: number
  everySeconds: number
}

export interface Bucket {
  limit: Limit
  /** Whose bucket it is: an address, an account. */
  of: string
  /** What is paid from while this one is empty; without it, an empty bucket refuses. */
  otherwise?: Bucket
}

/**
 * Does what may be tried only so often, at the price of one attempt from each bucket. What succeeds costs nothing, so
 * that nobody is kept out because others get in. Attempts are paid for before anything is looked up, which is why
 * many at once get no further than many in a row, and what is refused here tells nothing of what is there.
 * Buckets are rows: every process counts in the same ones.
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

/** The same where the attempt itself is what there may not be too many of. Returns the buckets that were paid from. */
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
 * Takes one, in one statement that others queue behind; otherwise the seconds until there is one again. A bucket is
 * kept as the moment at which it is full: one that nobody needs any more is in the past. One that is emptier than
 * empty was paid from while the clock was ahead: it has this one left, or its owner would wait until then.
 */
async function take({ db, clock }: Services, { limit, of }: Bucket): Promise<number> {
  const now = clock()
  const key = keyOf({ limit, of })
  // Later than this, and not one attempt would be left.
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
  const mended = await db
    .updateTable('attempt')
    .set({ full_at: emptied })
    .where('key', '=', key)
    .where('full_at', '>', new Date(emptied.getTime() + clockSkewMs))
    .executeTakeFirst()
  if (mended.numUpdatedRows > 0n) return 0
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

/** No bucket takes so long to fill; one that seems to was paid from while the clock was ahead. */
const fullWithinMs = 24 * 3_600_000

/** Buckets that are full again, which is what those without a row are. */
export async function forgetFullBuckets({ db, clock }: Services): Promise<void> {
  const now = clock()
  const impossible = new Date(now.getTime() + fullWithinMs)
  await db
    .deleteFrom('attempt')
    .where((eb) => eb.or([eb('full_at', '<', now), eb('full_at', '>', impossible)]))
    .execute()
}

/** Whose attempts are counted together: an IPv6 customer has a whole /64 to come from. */
export function networkOf(address: string): string {
  const ip = parseIp(address)
  return ip?.version === 6 ? `${(ip.value >> 64n).toString(16)}::/64` : address
}
