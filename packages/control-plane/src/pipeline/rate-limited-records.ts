import { sql } from 'kysely'
import { networkOf } from '../work/attempts.ts'
import type { Cx } from '../context/cx.ts'
import { daysAgo, forgetOlder } from '../db/retention.ts'
import type { Services } from '../context/services.ts'
import type { Reconciler } from '../work/loop.ts'
import { onceEach } from '../context/once-each.ts'

interface Count {
  hour: Date
  operation_id: string
  source_ip: string
  silo_user_id: string
  count: number
}

/** Sources counted separately between two writes; the rest share one count. */
const sourcesKept = 1000
const hourMs = 3_600_000
const writeEveryMs = 2000

/** Excess requests since the last write: a flood costs one row an hour rather than a write per request. */
const noted = onceEach((_services: Services) => new Map<string, Count>())

/** Counts a request refused by rate limiting, so that operators can later see its source. */
export function countRateLimited({ services, actor, request }: Cx, operation_id: string): void {
  const counts = noted(services)
  const hour = new Date(Math.floor(services.clock().getTime() / hourMs) * hourMs)
  const silo_user_id = actor.kind === 'silo_user' ? actor.user_id : ''
  const own = { hour, operation_id, source_ip: networkOf(request.address), silo_user_id, count: 1 }
  add(
    counts,
    counts.size < sourcesKept || counts.has(keyOf(own))
      ? own
      : { ...own, source_ip: 'others', silo_user_id: '' },
  )
}

const keyOf = ({ hour, operation_id, source_ip, silo_user_id }: Count): string =>
  [hour.getTime(), operation_id, source_ip, silo_user_id].join(' ')

function add(counts: Map<string, Count>, one: Count): void {
  const known = counts.get(keyOf(one))
  if (known) known.count += one.count
  else counts.set(keyOf(one), one)
}

export function rateLimitedWriter(services: Services): Reconciler {
  const run = async (): Promise<void> => {
    const counts = noted(services)
    for (const [key, one] of Array.from(counts)) {
      counts.delete(key)
      await write(services, one).catch((error: unknown) => {
        add(counts, one)
        throw error
      })
    }
  }
  return { name: 'refused-often', everyMs: writeEveryMs, run, finish: run }
}

const write = ({ db }: Services, { count, ...key }: Count) =>
  db
    .insertInto('refused_often')
    .values({ ...key, count })
    .onConflict((conflict) =>
      conflict
        .columns(['hour', 'operation_id', 'source_ip', 'silo_user_id'])
        .doUpdateSet({ count: sql<number>`refused_often.count + ${count}::int8` }),
    )
    .execute()

export const forgetRateLimited = (services: Services): Promise<void> =>
  forgetOlder(services, {
    table: 'refused_often',
    time: 'hour',
    before: daysAgo(services, services.settings.audit.refused_often_retention_days),
  })
