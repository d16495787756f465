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

/** What changes still have to charge, by change. */
const dues = new WeakMap<Change, { owner: Owner; amount: Counts }[]>()

const nothing: Counts = { cpus: 0, memory: 0, storage: 0 }
const plus = (counts: Counts, { cpus = 0, memory = 0, storage = 0 }: Amount): Counts => ({
  cpus: counts.cpus + cpus,
  memory: counts.memory + memory,
  storage: counts.storage + storage,
})

/**
 * Charges the project and its silo together, with what was still due from the project. Returns why the amount is over
 * the silo's quota, and then charges only what was due, so the caller may go on. The silo's row stays locked until
 * the transaction ends, so that two requests cannot both take the remainder.
 */
export async function charge(tx: Change, owner: Owner, amount: Amount): Promise<Refusal | undefined> {
  const due = takeDue(tx, owner)
  const { used, quota } = await count(tx, owner, plus(due, amount), 1)
  refuseIf(quotaProblem(used, quota, due))
  const problem = quotaProblem(plus(used, due), quota, amount)
  if (problem) await count(tx, owner, amount, -1)
  else noteUse(tx, owner)
  return problem
}

/**
 * Charges when the change is complete otherwise, all of it in one statement for each project. So the silo's row,
 * which all creations in the silo change, is locked only for this statement and the commit. An amount over the
 * quota undoes the change.
 */
export function chargeLast(tx: Change, owner: Owner, amount: Amount): void {
  const due = dues.get(tx) ?? []
  if (!dues.has(tx)) {
    dues.set(tx, due)
    tx.last(async () => {
      for (const { owner, amount } of due) {
        const { used, quota } = await count(tx, owner, amount, 1)
        refuseIf(quotaProblem(used, quota, amount))
      }
    })
  }
  const known = due.find((one) => one.owner.project_id === owner.project_id)
  if (known) known.amount = plus(known.amount, amount)
  else {
    due.push({ owner, amount: plus(nothing, amount) })
    noteUse(tx, owner)
  }
}

function takeDue(tx: Change, { project_id }: Owner): Counts {
  const due = dues.get(tx) ?? []
  const at = due.findIndex(({ owner }) => owner.project_id === project_id)
  return at < 0 ? nothing : (due.splice(at, 1)[0]?.amount ?? nothing)
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

/** For everybody in the silo: all of its members see its use, whatever the project. */
const noteUse = (tx: Change, { silo_id }: Owner): void =>
  tx.note('utilization', silo_id, undefined, undefined, { silo_id, project_id: null })

/** Returns what the silo used before, and its quota. The silo's row comes first, so two changes never deadlock. */
async function count(
  tx: Change,
  { silo_id, project_id }: Owner,
  { cpus = 0, memory = 0, storage = 0 }: Amount,
  sign: 1 | -1,
): Promise<{ used: Counts; quota: Counts }> {
  const added = { cpus: sign * cpus, memory: sign * memory, storage: sign * storage }
  const counted = sql`cpus = p.cpus + ${added.cpus}::int8, memory = p.memory + ${added.memory}::int8,
    storage = p.storage + ${added.storage}::int8`
  const { rows } = await sql<Counts & { quota: Counts }>`
    WITH silo AS (UPDATE provisioning p SET ${counted} WHERE p.id = ${silo_id} RETURNING p.*),
      project AS (UPDATE provisioning p SET ${counted} FROM silo WHERE p.id = ${project_id})
    SELECT silo.cpus, silo.memory, silo.storage, to_jsonb(q) AS quota
    FROM silo JOIN silo_quotas q ON q.silo_id = silo.id`.execute(tx.plain)
  const [row] = rows
  if (!row) throw new Error(`silo ${silo_id} has no counter or no quotas`)
  const used = {
    cpus: row.cpus - added.cpus,
    memory: row.memory - added.memory,
    storage: row.storage - added.storage,
  }
  return { used, quota: row.quota }
}
