import type { SystemIssue } from '@gantry/api/system/system'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { readLimit } from './issue.ts'

/** An open issue that takes others down: of a sled, or of one instance. */
interface Cause {
  issue_id: string
  sled_id: string | null
  instance_id: string | null
  /** Whether a sled is lost, and with it everything on it. */
  is_loss: boolean
  since: Date
}

/** Faults, and hosts that the fleet cannot reach; the losses first, by when they began. */
async function openCauses(db: Reader): Promise<Cause[]> {
  const { rows } = await sql<Cause>`
    SELECT * FROM (
      SELECT 'unreachable_host:' || id AS issue_id, id AS sled_id, NULL::uuid AS instance_id, true AS is_loss,
        time_unreachable AS since FROM sled WHERE time_unreachable IS NOT NULL AND time_deleted IS NULL
      UNION ALL
      SELECT 'fault:' || id, sled_id, instance_id, kind = 'sled_lost', time_created FROM fault WHERE time_ended IS NULL
    ) AS open ORDER BY NOT is_loss, since, issue_id LIMIT ${readLimit * 2}`.execute(db)
  return rows
}

interface LastMachine {
  instance_id: string
  sled_id: string
  time_gone: Date | null
}

/** The newest machine of each instance. */
async function lastMachines(db: Reader, instanceIds: readonly string[]): Promise<Map<string, LastMachine>> {
  if (instanceIds.length === 0) return new Map()
  const { rows } = await sql<LastMachine>`
    SELECT v.* FROM unnest(${instanceIds}::uuid[]) AS i (id) CROSS JOIN LATERAL (
      SELECT instance_id, sled_id, time_gone FROM vmm WHERE vmm.instance_id = i.id
      ORDER BY time_created DESC LIMIT 1) AS v`.execute(db)
  return new Map(rows.map((row) => [row.instance_id, row]))
}

const touchedBy = ({ touches }: SystemIssue, kind: 'instance' | 'sled'): string | undefined =>
  touches.find((touched) => touched.kind === kind)?.id

const canHaveCause = ({ kind }: SystemIssue): boolean => kind === 'failed_instance' || kind === 'stuck_update'

/**
 * Names the cause of each open issue that has one, and counts the effects of causes: an instance that failed with its
 * sled, or by a fault of its own, and the update of a sled that does not answer.
 */
export async function withCauses(db: Reader, open: readonly SystemIssue[]): Promise<SystemIssue[]> {
  if (open.length === 0) return []
  const causes = await openCauses(db)
  if (causes.length === 0) return [...open]
  const failed = open.flatMap((issue) =>
    issue.kind === 'failed_instance' ? (touchedBy(issue, 'instance') ?? []) : [],
  )
  const machines = causes.some(({ is_loss }) => is_loss) ? await lastMachines(db, failed) : new Map()
  const found = new Map(
    open.filter(canHaveCause).map((issue) => [issue.id, causeOf(issue, causes, machines)]),
  )
  const caused = [...found.values()]
  return open.map((issue) => ({
    ...issue,
    cause: found.get(issue.id) ?? null,
    effects: caused.filter((cause) => cause === issue.id).length,
  }))
}

function causeOf(
  issue: SystemIssue,
  causes: readonly Cause[],
  machines: ReadonlyMap<string, LastMachine>,
): string | undefined {
  const sledId = touchedBy(issue, 'sled')
  const instanceId = touchedBy(issue, 'instance')
  const machine = instanceId === undefined ? undefined : machines.get(instanceId)
  return causes.find(({ sled_id, instance_id, is_loss, since }) => {
    if (sled_id === null) return instance_id === instanceId
    if (sledId !== undefined) return sled_id === sledId
    // A machine that ended before the loss did not end by it.
    return (
      is_loss &&
      machine?.sled_id === sled_id &&
      (machine.time_gone === null || machine.time_gone.getTime() >= since.getTime())
    )
  })?.issue_id
}
