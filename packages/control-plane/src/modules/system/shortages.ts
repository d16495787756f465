import type { SystemIssue } from '@gantry/api/system/system'
import { shownBytes, shownMemory } from '@gantry/api/base/bytes.rules'
import { issueLimits } from '@gantry/api/system/system.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { usesOf } from '../ip-pools/use.ts'
import { issueOf, type Looking, percent, readLimit, touched, type IssueSource } from './issue.ts'

export const poolIssues: IssueSource = {
  kind: 'nearly_full_pool',
  open: async (cx) => {
    const pools = await cx.db
      .selectFrom('ip_pool')
      .select(['id', 'name'])
      .where('time_deleted', 'is', null)
      .where('is_service', '=', false)
      .orderBy('name')
      .execute()
    const uses = await usesOf(
      cx.db,
      pools.map(({ id }) => id),
    )
    const issues: SystemIssue[] = []
    for (const { id, name } of pools) {
      const { ipv4, ipv6 } = uses.get(id)?.utilization ?? {}
      const [version, use] = Number(ipv6?.capacity) > 0 && !ipv4?.capacity ? ['IPv6', ipv6] : ['IPv4', ipv4]
      const [allocated, capacity] = [Number(use?.allocated ?? 0), Number(use?.capacity ?? 0)]
      if (capacity === 0 || allocated / capacity < issueLimits.poolShare) continue
      issues.push(
        issueOf('nearly_full_pool', id, {
          severity: allocated >= capacity ? 'critical' : 'warning',
          since: await crossedAt(cx, id, Math.ceil(capacity * issueLimits.poolShare)),
          message: `IP pool ${name} has ${percent(allocated / capacity)} of its ${version} addresses allocated: ${allocated} of ${capacity}.`,
          next_step: 'Add a range to the pool, or release unused addresses.',
          touches: [touched('ip-pool', id, name)],
        }),
      )
    }
    return issues.slice(0, readLimit)
  },
}

/** When the address was allocated with which the pool, at its current size, reached the threshold. */
async function crossedAt({ db }: Looking, poolId: string, count: number): Promise<Date | null> {
  const { rows } = await sql<{ since: Date }>`
    SELECT min(time_created) AS since FROM external_ip WHERE ip_pool_id = ${poolId} AND time_deleted IS NULL
    GROUP BY ip_key ORDER BY since OFFSET ${count - 1} LIMIT 1`.execute(db)
  return rows[0]?.since ?? null
}

const counted = ['cpus', 'memory', 'storage'] as const
type Counted = (typeof counted)[number]

const shown: Record<Counted, { noun: string; amount: (value: number) => string }> = {
  cpus: { noun: 'vCPU', amount: (value) => `${value}` },
  memory: { noun: 'memory', amount: shownMemory },
  storage: { noun: 'storage', amount: shownBytes },
}

type Usage = Pick<Row<'silo'>, 'id' | 'name'> & Record<Counted, number> & Record<`quota_${Counted}`, number>

/** One issue per silo and quota. Only its episode records when a quota was reached. */
export const quotaIssues: IssueSource = {
  kind: 'quota_near_limit',
  open: async ({ db }) => {
    const near = sql.join(
      counted.map((kind) => {
        const quota = sql.ref(`q.${kind}`)
        return sql`(${quota} > 0 AND ${sql.ref(`p.${kind}`)} >= ${quota} * ${issueLimits.quotaShare}::float8)`
      }),
      sql` OR `,
    )
    const { rows } = await sql<Usage>`
      SELECT s.id, s.name, p.cpus, p.memory, p.storage, q.cpus AS quota_cpus, q.memory AS quota_memory,
        q.storage AS quota_storage
      FROM silo s JOIN silo_quotas q ON q.silo_id = s.id JOIN provisioning p ON p.id = s.id
      WHERE s.time_deleted IS NULL AND (${near}) ORDER BY s.name LIMIT ${readLimit}`.execute(db)
    return rows.flatMap(issuesOfSilo).slice(0, readLimit)
  },
}

const issuesOfSilo = (silo: Usage): SystemIssue[] =>
  counted.flatMap((kind) => {
    const quota = silo[`quota_${kind}`]
    const used = silo[kind]
    if (quota === 0 || used < quota * issueLimits.quotaShare) return []
    const { noun, amount } = shown[kind]
    return issueOf('quota_near_limit', `${silo.id}:${kind}`, {
      severity: used >= quota ? 'critical' : 'warning',
      since: null,
      message: `Silo ${silo.name} uses ${percent(used / quota)} of its ${noun} quota: ${amount(used)} of ${amount(quota)}.`,
      next_step: 'Raise the quota of the silo, or ask its administrators to free unused resources.',
      touches: [touched('silo', silo.id, silo.name)],
    })
  })
