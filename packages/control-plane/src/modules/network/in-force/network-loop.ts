import { packetKinds } from '@gantry/api/network/packet-check'
import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Networks } from '@gantry/control-plane/fleet/networks'
import type { Reconciler } from '@gantry/control-plane/work/loop'
import { forgottenSequence, lastSequence } from '@gantry/control-plane/stream/publisher'
import type { Services } from '@gantry/control-plane/context/services'
import { latestPast } from '@gantry/control-plane/context/time'
import {
  bringIntoForce,
  interfacesWithMachines,
  keepRefused,
  longestRetryMs,
  networkLease,
  removeUnused,
} from './bring-into-force.ts'

/** Maximum of networks brought into force concurrently. */
const maxConcurrent = 8
const changesAtOnce = 5000
const compareEveryMs = 60_000
/** The counter with the number of the last processed change. */
const cursor = 'vpc-networks'

/**
 * Keeps the networks of a fleet that carries packets in line with the records. Changes identify the projects whose
 * VPCs are compared; the fleet itself is queried at the start and every minute.
 */
export function vpcNetworks(): Reconciler {
  const running = new Map<string, Promise<void>>()
  /** Networks of VPCs without machines, which are removed once others need no turn. */
  let unused: string[] = []
  let compared = -Infinity
  const start = (services: Services, vpcId: string, work: Promise<void>): void => {
    const done = work.finally(() => {
      running.delete(vpcId)
      services.wake.networks()
    })
    running.set(vpcId, done)
  }
  return {
    name: 'networks',
    everyMs: 1000,
    async run(services) {
      const { networks } = services.fleet
      if (!networks || services.ending.aborted) return
      const hasMore = await followChanges(services)
      const now = performance.now()
      if (now - compared >= compareEveryMs) {
        compared = now
        // Changed records must come into force also while the fleet cannot say what is.
        unused = await compareWithFleet(services, networks).catch((error: unknown) => {
          services.log.warn({ err: error }, 'the networks in force are unknown; they will be compared again')
          return unused
        })
      }
      for (const vpc_id of await pendingVpcs(services, [...running.keys()]))
        // A failure is logged and recorded; without the lease, another process does the work.
        start(
          services,
          vpc_id,
          bringIntoForce(services, networks, vpc_id).catch(() => undefined),
        )
      unused = unused.filter((vpc_id) => {
        if (running.has(vpc_id) || running.size >= maxConcurrent) return true
        start(services, vpc_id, remove(services, networks, vpc_id))
        return false
      })
      return hasMore ? 0 : undefined
    },
    finish: () => Promise.all(running.values()),
  }
}

async function pendingVpcs({ db, clock }: Services, running: readonly string[]): Promise<string[]> {
  if (running.length >= maxConcurrent) return []
  const now = clock()
  const { rows } = await sql<{ vpc_id: string }>`SELECT vpc_id FROM vpc_network WHERE seen_revision < revision
    AND (retry_at IS NULL OR retry_at <= ${now}) AND ${networkLease.isFree(now)}
    AND NOT vpc_id = ANY (${running}::uuid[]) ORDER BY vpc_id LIMIT ${maxConcurrent - running.length}`.execute(
    db,
  )
  return rows.map(({ vpc_id }) => vpc_id)
}

/** Marks networks that published changes may affect; returns whether there are more changes. */
async function followChanges({ db }: Services): Promise<boolean> {
  const from = await readCursor(db)
  const last = await lastSequence(db)
  if (from !== undefined && from >= last) return false
  return db.transaction().execute(async (tx) => {
    await sql`INSERT INTO counter (name, value) VALUES (${cursor}, -1) ON CONFLICT (name) DO NOTHING`.execute(
      tx,
    )
    const { value } = await tx
      .selectFrom('counter')
      .select('value')
      .where('name', '=', cursor)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // Changes past their retention may have affected any network.
    const isLost = value < (await forgottenSequence(tx))
    const to = isLost ? last : Math.min(last, value + changesAtOnce)
    if (to <= value) return false
    const affected = isLost
      ? sql`SELECT id FROM vpc`
      : sql`SELECT vpc.id FROM vpc WHERE project_id IN (SELECT project_id FROM change
          WHERE seq > ${value} AND seq <= ${to} AND kind = ANY (${packetKinds}::text[]))`
    await sql`UPDATE vpc_network SET revision = revision + 1, retry_at = NULL WHERE vpc_id IN (${affected})`.execute(
      tx,
    )
    await tx.updateTable('counter').set({ value: to }).where('name', '=', cursor).execute()
    return to < last
  })
}

/**
 * Since when records have changed that the network was not compared with, by which it may be outdated; undefined if
 * none has.
 */
export async function unseenSince(
  { db, clock }: Services,
  { vpc_id, revision, seen_revision }: Row<'vpc_network'>,
): Promise<Date | undefined> {
  const affecting = sql`kind = ANY (${packetKinds}::text[])
    AND project_id = (SELECT project_id FROM vpc WHERE id = ${vpc_id})`
  const { rows } = await sql<{ since: Date | null }>`SELECT min(time) AS since FROM (
    SELECT time FROM change WHERE seq IS NULL AND ${affecting}
    UNION ALL
    SELECT time FROM change WHERE seq > (SELECT value FROM counter WHERE name = ${cursor}) AND ${affecting}
  ) unseen`.execute(db)
  return rows[0]?.since ?? (revision > seen_revision ? clock() : undefined)
}

async function readCursor(db: Services['db']): Promise<number | undefined> {
  const row = await db.selectFrom('counter').select('value').where('name', '=', cursor).executeTakeFirst()
  return row?.value
}

/**
 * Compares the generations in force with those given to the fleet: a missing or older network is brought into force
 * again. Returns those without machines. The given ones are read first, because they only grow.
 */
async function compareWithFleet(services: Services, networks: Networks): Promise<string[]> {
  const { db } = services
  const given = await db
    .selectFrom('vpc_network')
    .select(['vpc_id', 'generation', 'applied_generation', 'refused'])
    .execute()
  const inForce = await networks.inForce()
  const used = await interfacesWithMachines(services).select('network_interface.vpc_id').distinct().execute()
  const wanted = new Set(used.map(({ vpc_id }) => vpc_id))
  const known = new Set(given.map(({ vpc_id }) => vpc_id))

  for (const row of given) await keepRefused(services, networks, row)
  for (const { vpc_id, applied_generation } of given) {
    const actual = inForce.get(vpc_id) ?? 0
    if (!wanted.has(vpc_id) || actual === applied_generation) continue
    await sql`UPDATE vpc_network SET revision = revision + 1, retry_at = NULL, applied_generation = ${actual}, time_changed = ${services.clock()},
        generation = greatest(generation, ${actual}::int8),
        digest = CASE WHEN generation < ${actual} THEN '' ELSE digest END
      WHERE vpc_id = ${vpc_id} AND applied_generation = ${applied_generation}`.execute(db)
  }
  for (const vpc_id of wanted) {
    if (known.has(vpc_id)) continue
    await db
      .insertInto('vpc_network')
      .values({ vpc_id, time_changed: services.clock(), revision: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return [...new Set([...known, ...inForce.keys()])].filter((vpc_id) => !wanted.has(vpc_id))
}

const remove = (services: Services, networks: Networks, vpc: string): Promise<void> =>
  removeUnused(services, networks, vpc).catch((error: unknown) =>
    services.log.warn({ err: error, vpc }, 'the network of a VPC was not removed; it will be retried'),
  )

/** Ends delays and leases that the clock postponed. */
export async function repairNetworks({ db }: Services, now: Date): Promise<void> {
  const past = latestPast(now)
  const latest = new Date(past.getTime() + longestRetryMs)
  await db.updateTable('vpc_network').set({ retry_at: null }).where('retry_at', '>', latest).execute()
  await networkLease.repair(db, now)
}
