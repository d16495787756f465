import { type Dialect, Kysely, type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../db/migrate.ts'
import type { Tables } from '../db/tables.ts'
import { alertDeliveries, deliveryLease } from '../modules/alerts/deliver.ts'
import { metricWatch, watchLease } from '../modules/metrics/saved/watch.ts'
import { networkLease } from '../modules/network/in-force/bring-into-force.ts'
import { jobLoop, jobLease } from '../work/jobs.ts'
import { addReceiver } from './alerts.ts'
import { type Counted, countedStatements } from './counted-statements.ts'
import { genericPlan } from './generic-plan.ts'
import { testServices } from './services.ts'

type Db = Kysely<Tables>

const now = new Date('2026-03-02T10:00:00Z')
const after = (ms: number): Date => new Date(now.getTime() + ms)
const dayMs = 86_400_000

/** A claim of one row. Each answers whether the lease was still held. */
interface Claim {
  /** Stores the outcome, after which the row is another one's, or no work any more. */
  report: () => Promise<boolean>
  giveBack: () => Promise<boolean>
  renew?: (at: Date) => Promise<boolean>
}

interface Leased {
  table: 'job' | 'alert_delivery' | 'metric_watch' | 'vpc_network'
  ms: number
  key: string
  insert: (db: Db, id: string) => Promise<unknown>
  claim: (db: Db, which: RawBuilder<unknown>, at: Date) => Promise<Claim | undefined>
  repair: (db: Db) => Promise<void>
  /** A holder that was too slow may report, if it does so before its successor. */
  firstReportCounts?: boolean
  renews?: boolean
  /** A repair ends the lease, instead of shortening it. */
  repairEnds?: boolean
}

const leased: readonly Leased[] = [
  {
    table: 'job',
    ms: 10_000,
    key: 'id',
    insert: (db, id) =>
      db
        .insertInto('job')
        .values({
          id,
          kind: 'copy',
          args: '{}',
          state: 'pending',
          run_at: now,
          lease_until: null,
          failure: null,
          time_created: now,
          time_done: null,
        })
        .execute(),
    async claim(db, which, at) {
      const [job] = await jobLease.claim(db, at, which, { set: { attempts: sql`attempts + 1` } })
      return (
        job && {
          report: () => jobLease.leave(db, job, { state: 'done', time_done: at }),
          giveBack: () => jobLease.leave(db, job, { attempts: job.attempts - 1 }),
          renew: (then) => jobLease.renew(db, job, then),
        }
      )
    },
    repair: (db) => jobLease.repair(db, now),
    renews: true,
  },
  {
    table: 'alert_delivery',
    ms: 60_000,
    key: 'id',
    insert: async (db, id) =>
      db
        .insertInto('alert_delivery')
        .values({
          id,
          alert_receiver_id: await addReceiver(db, `receiver-${id}`),
          alert_id: crypto.randomUUID(),
          alert_class: 'issue.failed_instance.began',
          trigger: 'alert',
          state: 'pending',
          position: 0,
          time_started: now,
          time_next: now,
        })
        .execute(),
    async claim(db, which, at) {
      const [delivery] = await deliveryLease.claim(db, at, which, { set: { time_sent: at } })
      return (
        delivery && {
          report: () => deliveryLease.leave(db, delivery, { attempts: delivery.attempts + 1 }),
          giveBack: () => deliveryLease.leave(db, delivery),
        }
      )
    },
    repair: (db) => deliveryLease.repair(db, now),
    firstReportCounts: true,
  },
  {
    table: 'metric_watch',
    ms: 120_000,
    key: 'metric_query_id',
    insert: (db, metric_query_id) =>
      db
        .insertInto('metric_watch')
        .values({
          metric_query_id,
          state: 'ok',
          since: now,
          evaluated: null,
          due: now,
          lease_until: null,
          breaches: '[]',
          problem: null,
        })
        .execute(),
    async claim(db, which, at) {
      const [watch] = await watchLease.claim(db, at, which)
      return (
        watch && {
          report: () => watchLease.leave(db, watch, { due: at }),
          giveBack: () => watchLease.leave(db, watch),
        }
      )
    },
    repair: (db) => watchLease.repair(db, now),
    repairEnds: true,
  },
  {
    table: 'vpc_network',
    ms: 10_000,
    key: 'vpc_id',
    insert: (db, vpc_id) => db.insertInto('vpc_network').values({ vpc_id, time_changed: now }).execute(),
    async claim(db, which, at) {
      const set = { lease_holder: crypto.randomUUID() }
      const [network] = await networkLease.claim(db, at, which, { set })
      const leave = () =>
        network ? networkLease.leave(db, network, { lease_holder: null }) : Promise.resolve(false)
      return (
        network && {
          report: leave,
          giveBack: leave,
          renew: (then) => networkLease.renew(db, network, then),
        }
      )
    },
    repair: (db) => networkLease.repair(db, now),
    renews: true,
  },
]

/** The behaviour of leases, on a database that is empty. */
export function leaseConformance(open: () => Promise<Dialect>): void {
  let counted: Counted
  let db: Db
  beforeAll(async () => {
    counted = countedStatements(await open())
    db = new Kysely({ dialect: counted.dialect })
    await migrate(db)
  })
  afterAll(() => db.destroy())

  /** A row of its own for each test. */
  async function row(kind: Leased) {
    const id = crypto.randomUUID()
    await kind.insert(db, id)
    const which = sql`${sql.ref(kind.key)} = ${id}`
    return {
      claim: (at = now) => kind.claim(db, which, at),
      held: async (at = now): Promise<Claim> => {
        const claim = await kind.claim(db, which, at)
        if (!claim) throw new Error('the row is not free')
        return claim
      },
      until: async (): Promise<Date | null | undefined> => {
        const { rows } = await sql<{ lease_until: Date | null }>`
          SELECT lease_until FROM ${sql.table(kind.table)} WHERE ${which}`.execute(db)
        return rows[0]?.lease_until
      },
      lastUntil: (time: Date) =>
        sql`UPDATE ${sql.table(kind.table)} SET lease_until = ${time} WHERE ${which}`.execute(db),
    }
  }

  describe.each(leased)('a lease of $table', (kind) => {
    test('is of one process at a time, until it ends', async () => {
      const { claim, until } = await row(kind)
      const claims = await Promise.all([claim(), claim(), claim()])
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1)
      expect(await until()).toEqual(after(kind.ms))
      expect(await claim(after(kind.ms))).toBeUndefined()
      expect(await claim(after(kind.ms + 1))).toBeDefined()
    })

    test('is free at once when its holder leaves', async () => {
      const { claim, held, until } = await row(kind)
      expect(await (await held()).giveBack()).toBe(true)
      expect(await until()).toBeNull()
      expect(await claim()).toBeDefined()
    })

    test('takes no report of a holder that was too slow', async () => {
      const { held } = await row(kind)
      const slow = await held()
      const next = await held(after(kind.ms + 1))
      const isReported = kind.firstReportCounts ? false : await slow.report()
      expect(isReported).toBe(false)
      expect(await next.report()).toBe(true)
      expect(await slow.report()).toBe(false)
    })

    test('is repaired after the clock went back, and not before', async () => {
      const { claim, held, until, lastUntil } = await row(kind)
      const holder = await held()
      // The clocks of processes may differ by a minute.
      const usual = after(kind.ms + 60_000)
      await lastUntil(usual)
      await kind.repair(db)
      expect(await until()).toEqual(usual)
      await lastUntil(after(dayMs))
      await kind.repair(db)
      expect(await until()).toEqual(kind.repairEnds ? null : after(kind.ms))
      // Otherwise its holder may have been at work all the time.
      expect((await claim(after(1))) !== undefined).toBe(kind.repairEnds === true)
      expect(await holder.report()).toBe(!kind.repairEnds)
    })
  })

  test.each(leased.filter(({ renews }) => renews))(
    'a lease of $table lasts as long as its holder renews it',
    async (kind) => {
      const { claim, held } = await row(kind)
      const first = await held()
      expect(await first.renew?.(after(kind.ms - 1))).toBe(true)
      expect(await claim(after(kind.ms + 1))).toBeUndefined()
      const next = await held(after(2 * kind.ms))
      expect(await first.renew?.(after(2 * kind.ms))).toBe(false)
      expect(await next.report()).toBe(true)
      expect(await next.renew?.(after(2 * kind.ms))).toBe(false)
    },
  )

  test('claims are found by an index', async () => {
    const webhooks = { post: async () => ({ kind: 'unreachable', reason: 'it is down' }) as const }
    const services = testServices({ db, webhooks, clock: () => after(7 * dayMs) })
    const deliveries = alertDeliveries()
    const statements = await counted.during(async () => {
      await jobLoop({}).run(services)
      await metricWatch.run(services)
      await deliveries.run(services)
      await deliveries.finish?.()
      await networkLease.claim(db, now, sql`vpc_id = ${crypto.randomUUID()}`)
    })
    const claims = new Map<string, string>()
    for (const text of statements) {
      const [, table] = /^UPDATE "(\w+)"\s+SET .*"lease_until" = \$/.exec(text) ?? []
      if (table && text.includes('RETURNING *')) claims.set(table, await genericPlan(db, text))
    }
    expect([...claims.keys()].toSorted()).toEqual(leased.map(({ table }) => table).toSorted())
    for (const plan of claims.values()) expect(plan).not.toContain('Seq Scan')
    for (const index of ['job_due', 'job_long', 'job_pkey']) expect(claims.get('job')).toContain(index)
    expect(claims.get('metric_watch')).toContain('metric_watch_due')
    expect(claims.get('alert_delivery')).toMatch(/alert_delivery_(pending|subject)/)
    expect(claims.get('alert_delivery')).toContain('alert_delivery_pkey')
  })
}
