import { shownBytes, shownMemory } from '@gantry/api/base/bytes.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import type { Reader } from '../../db/database.ts'
import type { Cx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { isOver } from '../../context/time.ts'
import { insufficient, type Refusal, refuseIf } from '../../context/refusal.ts'
import { giveStorage } from '../recycle-bin/give-way.ts'
import { onceEach } from '../../context/once-each.ts'

export interface Amount {
  cpus?: number
  memory?: number
  storage?: number
}
interface Owner {
  silo_id: string
  project_id: string
}

const stopInstances = 'Stop unused instances, or ask the operator for a larger quota.'
const deleteStorage = 'Delete unused disks and snapshots, or ask the operator for a larger quota.'
const shownCpus = (cpus: number): string => `${cpus} ${cpus === 1 ? 'vCPU' : 'vCPUs'}`

const words = {
  cpus: {
    problem: 'vCPU Limit Exceeded: Not enough vCPUs to complete request.',
    label: 'vCPU',
    advice: stopInstances,
    shown: shownCpus,
  },
  memory: {
    problem: 'Memory Limit Exceeded: Not enough memory to complete request.',
    label: 'Memory',
    advice: stopInstances,
    shown: shownMemory,
  },
  storage: {
    problem: 'Storage Limit Exceeded: Not enough storage to complete request.',
    label: 'Storage',
    advice: deleteStorage,
    shown: shownBytes,
  },
} as const

type Counts = Required<Amount>

/** Why an amount is too much; undefined when it fits. Filling the quota exactly is allowed. */
export function quotaProblem(used: Counts, quota: Counts, amount: Amount): Refusal | undefined {
  for (const kind of ['cpus', 'memory', 'storage'] as const) {
    const wanted = amount[kind] ?? 0
    if (wanted === 0 || used[kind] + wanted <= quota[kind]) continue
    const { problem, label, advice, shown } = words[kind]
    const left = Math.max(0, quota[kind] - used[kind])
    // Clients match on the problem, which the reference defines; the help repeats it with numbers.
    return insufficient(`${problem} ${advice}`, {
      help: `${label} quota exceeded: needs ${shown(wanted)}, ${shown(left)} left. ${advice}`,
      details: { kind, wanted, used: used[kind], quota: quota[kind] },
    })
  }
  return undefined
}

/**
 * Whether a failure, in a column of JSON, is a refusal by a limit of its own silo or project. Its users can act on it,
 * not the operator.
 */
export const isRefusedByOwnLimit = (failure: string): RawBuilder<boolean> =>
  sql`coalesce(${sql.ref(failure)} -> 'details' ?| ARRAY['quota', 'limit'], false)`

/** Whether the quota of an instance's silo has room to start it; for queries that join `instance` and `project`. */
export const hasQuotaToStart: RawBuilder<boolean> = sql`EXISTS (
  SELECT FROM provisioning p JOIN silo_quotas q ON q.silo_id = p.id WHERE p.id = project.silo_id
    AND p.cpus + instance.ncpus <= q.cpus AND p.memory + instance.memory <= q.memory)`

/** The current use and quotas of a silo. */
export async function readQuota(db: Reader, siloId: string): Promise<{ used: Counts; quota: Counts }> {
  const counts = (table: 'used' | 'quota') =>
    sql`jsonb_build_object('cpus', ${sql.ref(`${table}.cpus`)}, 'memory', ${sql.ref(`${table}.memory`)},
      'storage', ${sql.ref(`${table}.storage`)})`
  const { rows } = await sql<{ used: Counts; quota: Counts }>`
    SELECT ${counts('used')} AS used, ${counts('quota')} AS quota
    FROM provisioning used JOIN silo_quotas quota ON quota.silo_id = used.id WHERE used.id = ${siloId}`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error(`silo ${siloId} has no counter or no quotas`)
  return row
}

/** Refuses what is over the quota already. The charge itself decides: others may use the rest meanwhile. */
export async function refuseOverQuota(db: Reader, siloId: string, amount: Amount): Promise<void> {
  const { used, quota } = await readQuota(db, siloId)
  refuseIf(quotaProblem(used, quota, amount))
}

/** When a quota last refused something in this process, by silo. */
const refusals = onceEach((_services: Services) => new Map<string, number>())
const rememberedMs = 60_000
const maxRemembered = 1000

/**
 * Refuses what is over a quota that has refused others within the last minute: before any work and any lock, so that
 * a caller who keeps trying delays no others. Otherwise it costs nothing.
 */
export async function refuseOverQuotaEarly(
  { services, db }: Cx,
  siloId: string,
  amount: Amount,
): Promise<void> {
  const at = refusals(services).get(siloId)
  if (at === undefined || isOver(at, services.clock().getTime(), rememberedMs)) return
  await refuseOverQuota(db, siloId, amount)
}

function remember({ services }: Cx, siloId: string): void {
  const known = refusals(services)
  if (known.size >= maxRemembered) known.clear()
  known.set(siloId, services.clock().getTime())
}

/** What changes still have to charge, by change. */
const dues = new WeakMap<Change, { owner: Owner; amount: Counts; held: number }[]>()

const nothing: Counts = { cpus: 0, memory: 0, storage: 0 }
const plus = (counts: Counts, { cpus = 0, memory = 0, storage = 0 }: Amount): Counts => ({
  cpus: counts.cpus + cpus,
  memory: counts.memory + memory,
  storage: counts.storage + storage,
})

/**
 * Charges when the change is complete otherwise, all of it in one statement for each project. So the silo's row,
 * which all creations in the silo change, is locked only for this statement and the commit. An amount over the
 * quota undoes the change. What a recycle bin `held` until now makes nothing else in it give way.
 */
export function chargeLast(tx: Change, owner: Owner, amount: Amount, held = 0): void {
  const due = dues.get(tx) ?? []
  if (!dues.has(tx)) {
    dues.set(tx, due)
    tx.last(async () => {
      for (const { owner, amount, held } of due) {
        const { used, quota, recycled } = await count(tx, owner, amount, 1)
        const problem = quotaProblem(used, quota, amount)
        if (problem) remember(tx.cx, owner.silo_id)
        refuseIf(problem)
        const over = used.storage + amount.storage + recycled - quota.storage
        if (amount.storage > held && recycled > 0 && over > 0) await giveStorage(tx, owner.silo_id, over)
      }
    })
  }
  const known = due.find((one) => one.owner.project_id === owner.project_id)
  if (known) {
    known.amount = plus(known.amount, amount)
    known.held += held
  } else {
    due.push({ owner, amount: plus(nothing, amount), held })
    noteUse(tx, owner)
  }
}

/** Charges again regardless of the quota, for resources that were never released. */
export async function chargeAnyway(tx: Change, owner: Owner, amount: Amount): Promise<void> {
  await count(tx, owner, amount, 1)
  noteUse(tx, owner)
}

export async function release(tx: Change, owner: Owner, amount: Amount): Promise<void> {
  await count(tx, owner, amount, -1)
  noteUse(tx, owner)
}

/** For every member of the silo: all of its members see its use, whatever the project. */
const noteUse = (tx: Change, { silo_id }: Owner): void =>
  tx.note('utilization', silo_id, undefined, undefined, { silo_id, project_id: null })

/** Returns what the silo used before, its quota, and what its recycle bins hold. The silo's row comes first, so two changes never deadlock. */
async function count(
  tx: Change,
  { silo_id, project_id }: Owner,
  { cpus = 0, memory = 0, storage = 0 }: Amount,
  sign: 1 | -1,
): Promise<{ used: Counts; quota: Counts; recycled: number }> {
  const added = { cpus: sign * cpus, memory: sign * memory, storage: sign * storage }
  const counted = sql`cpus = p.cpus + ${added.cpus}::int8, memory = p.memory + ${added.memory}::int8,
    storage = p.storage + ${added.storage}::int8`
  const { rows } = await sql<Counts & { quota: Counts; recycled: number }>`
    WITH silo AS (UPDATE provisioning p SET ${counted} WHERE p.id = ${silo_id} RETURNING p.*),
      project AS (UPDATE provisioning p SET ${counted} FROM silo WHERE p.id = ${project_id})
    SELECT silo.cpus, silo.memory, silo.storage, silo.recycled, to_jsonb(q) AS quota
    FROM silo JOIN silo_quotas q ON q.silo_id = silo.id`.execute(tx.plain)
  const [row] = rows
  if (!row) throw new Error(`silo ${silo_id} has no counter or no quotas`)
  const used = {
    cpus: row.cpus - added.cpus,
    memory: row.memory - added.memory,
    storage: row.storage - added.storage,
  }
  return { used, quota: row.quota, recycled: row.recycled }
}
