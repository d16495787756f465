import { shownBytes, shownMemory } from '@gantry/api/bytes.rules'
import type { FailureReason } from '@gantry/api/extensions'
import { sql } from 'kysely'
import type { Change } from '../../kernel/change.ts'
import type { Reader } from '../../db/database.ts'
import { insufficient, type Refusal, refuseIf } from '../../kernel/refusal.ts'

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

/** The amount that a failure with these details exceeded the quota of; undefined for other failures. */
export function exceededQuota(details: FailureReason['details']): string | undefined {
  const kind = details && 'quota' in details ? details['kind'] : undefined
  return kind === 'cpus' || kind === 'memory' || kind === 'storage' ? words[kind].label : undefined
}

/** What a silo uses and may use now. */
export async function readQuota(db: Reader, siloId: string): Promise<{ used: Counts; quota: Counts }> {
  const counts = ['cpus', 'memory', 'storage'] as const
  const used = db.selectFrom('provisioning').select(counts).where('id', '=', siloId)
  const quota = db.selectFrom('silo_quotas').select(counts).where('silo_id', '=', siloId)
  return { used: await used.executeTakeFirstOrThrow(), quota: await quota.executeTakeFirstOrThrow() }
}

/**
 * Charges the project and its silo together, and refuses an amount over the silo's quota. The silo's row
 * stays locked until the transaction ends, so that two requests cannot both take the remainder.
 */
export async function charge(tx: Change, owner: Owner, amount: Amount): Promise<void> {
  const { used, quota } = await lockedQuota(tx, owner)
  refuseIf(quotaProblem(used, quota, amount))
  await count(tx, owner, amount, 1)
}

/** Charges again regardless of the quota, for resources that were never released. */
export async function chargeAnyway(tx: Change, owner: Owner, amount: Amount): Promise<void> {
  await lockCounter(tx, owner)
  await count(tx, owner, amount, 1)
}

export async function release(tx: Change, owner: Owner, amount: Amount): Promise<void> {
  await lockCounter(tx, owner)
  await count(tx, owner, amount, -1)
}

async function count(tx: Change, owner: Owner, amount: Amount, sign: 1 | -1): Promise<void> {
  const { cpus = 0, memory = 0, storage = 0 } = amount
  // The silo's row is already locked, so two changes never deadlock.
  await tx.plain
    .updateTable('provisioning')
    .set({
      cpus: sql`cpus + ${sign * cpus}::int8`,
      memory: sql`memory + ${sign * memory}::int8`,
      storage: sql`storage + ${sign * storage}::int8`,
    })
    .where('id', 'in', [owner.silo_id, owner.project_id])
    .execute()
  tx.note('utilization', owner.silo_id, undefined, undefined)
}

const lockCounter = (tx: Change, { silo_id }: Owner) =>
  tx.plain.selectFrom('provisioning').select('id').where('id', '=', silo_id).forUpdate().execute()

/** Usage and quota, both locked. */
async function lockedQuota(tx: Change, { silo_id }: Owner): Promise<{ used: Counts; quota: Counts }> {
  const row = await tx.plain
    .selectFrom('provisioning as p')
    .innerJoin('silo_quotas as q', 'q.silo_id', 'p.id')
    .select(['p.cpus', 'p.memory', 'p.storage'])
    .select(['q.cpus as most_cpus', 'q.memory as most_memory', 'q.storage as most_storage'])
    .where('p.id', '=', silo_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { used: row, quota: { cpus: row.most_cpus, memory: row.most_memory, storage: row.most_storage } }
}
