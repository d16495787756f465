import type { OpName } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import { deletionLimits } from '@gantry/api/history/deletion.rules'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { affinity, antiAffinity } from '../affinity/families.ts'
import { deleteGroup } from '../affinity/groups.ts'
import { stopInstance } from '../compute/instances/power.ts'
import { deleteInstance } from '../compute/instances/service.ts'
import { deleteSubnet as deleteExternalSubnet } from '../external-subnets/service.ts'
import { deleteBackup } from '../backups/delete.ts'
import { deleteInstanceSnapshot } from '../instance-snapshots/delete.ts'
import { deletePool } from '../ip-pools/pools.ts'
import { removeRange } from '../ip-pools/ranges.ts'
import { deleteFloatingIp } from '../network/addresses/floating-ips.ts'
import { deleteSubnet } from '../network/records/subnets.ts'
import { deleteVpc } from '../network/records/vpcs.ts'
import { deleteProbe } from '../probes/service.ts'
import { deleteProject } from '../project/service.ts'
import { deleteSilo } from '../silo/silos.ts'
import { deleteDisk } from '../storage/disks.ts'
import { deleteImage } from '../storage/image-changes.ts'
import { deleteUpload } from '../storage/image-uploads.ts'
import { deleteSnapshot } from '../storage/snapshots.ts'
import { type Branch, branchesOf } from './branches.ts'
import type { Root } from './root.ts'

/** One object that the task acts on next. */
export interface Step {
  kind: string
  id: string
  name: string | null
  project_id: string | null
}

/** `root` is what the object goes with. */
type Run = (cx: Cx, step: Step, root: Pick<Root, 'id'>) => Promise<unknown>

/** How each kind is deleted: by the operation that a user would send, with its rules. */
const deletions: Readonly<Record<string, { op: OpName; run: Run }>> = {
  'image-upload': { op: 'imageUploadDelete', run: (cx, { id }) => deleteUpload(cx, { upload: id }) },
  instance: { op: 'instanceDelete', run: (cx, { id }) => deleteInstance(cx, { instance: id }) },
  'floating-ip': { op: 'floatingIpDelete', run: (cx, { id }) => deleteFloatingIp(cx, { floating_ip: id }) },
  'external-subnet': {
    op: 'externalSubnetDelete',
    run: (cx, { id }) => deleteExternalSubnet(cx, { external_subnet: id }),
  },
  'affinity-group': {
    op: 'affinityGroupDelete',
    run: (cx, { id }) => deleteGroup(cx, affinity, { affinity_group: id }),
  },
  'anti-affinity-group': {
    op: 'antiAffinityGroupDelete',
    run: (cx, { id }) => deleteGroup(cx, antiAffinity, { anti_affinity_group: id }),
  },
  probe: {
    op: 'probeDelete',
    run: (cx, { id, project_id }) => deleteProbe(cx, { probe: id, project: project_id }),
  },
  disk: { op: 'diskDelete', run: (cx, { id }) => deleteDisk(cx, { disk: id }) },
  snapshot: { op: 'snapshotDelete', run: (cx, { id }) => deleteSnapshot(cx, { snapshot: id }) },
  'instance-snapshot': {
    op: 'instanceSnapshotDelete',
    run: (cx, { id }) => deleteInstanceSnapshot(cx, { instance_snapshot: id }),
  },
  'instance-backup': {
    op: 'instanceBackupDelete',
    run: (cx, { id }) => deleteBackup(cx, { instance_backup: id }),
  },
  image: { op: 'imageDelete', run: (cx, { id }) => deleteImage(cx, { image: id }) },
  'vpc-subnet': { op: 'vpcSubnetDelete', run: (cx, { id }) => deleteSubnet(cx, { subnet: id }) },
  vpc: { op: 'vpcDelete', run: (cx, { id }) => deleteVpc(cx, { vpc: id }) },
  project: { op: 'projectDelete', run: (cx, { id }) => deleteProject(cx, { project: id }) },
  'ip-pool-range': {
    op: 'ipPoolRangeRemove',
    run: (cx, { name }, root) => {
      const [first = '', last = ''] = (name ?? '').split('-')
      return removeRange(cx, { pool: root.id }, { first, last })
    },
  },
  'ip-pool': { op: 'ipPoolDelete', run: (cx, { id }) => deletePool(cx, { pool: id }) },
  silo: { op: 'siloDelete', run: (cx, { id }) => deleteSilo(cx, { silo: id }) },
}

export function deletionOf({ kind }: Pick<Step, 'kind'>) {
  const found = deletions[kind]
  if (!found) throw new Error(`no deletion of ${kind}`)
  return found
}

export const stopping = {
  op: 'instanceStop',
  run: (cx: Cx, { id }: Step) => stopInstance(cx, { instance: id }),
} as const satisfies { op: OpName; run: Run }

export interface Todo {
  action: 'delete' | 'stop'
  steps: Step[]
}

/** Instances that the task lets stop at the same time. */
const stopsAtOnce = 20

type Planned = Pick<Row<'deletion'>, 'time_created'>

/** Objects that existed when the plan was confirmed, and do since without a break: what was restored is another matter. */
const isPlanned = ({ time_created }: Planned): RawBuilder<unknown> => sql`t.time_created <= ${time_created}
  AND NOT EXISTS (SELECT 1 FROM change c WHERE c.object_id = t.id AND c.op = 'create' AND c.time > ${time_created})`

/**
 * What to do next, at most so many objects of those that the plan showed, so that nothing else is deleted. What came
 * later keeps its parent, whose refusal ends the task.
 */
export async function nextSteps(
  cx: Cx,
  db: Reader,
  root: Root,
  planned: Planned,
  atMost: number,
): Promise<Todo | { waiting: Waiting }> {
  for (const branch of branchesOf(cx, root)) {
    if (!branch.hasStep) continue
    const todo =
      branch.kind === 'instance'
        ? await nextInstances(db, root, branch, planned, atMost)
        : deleteAll(await rowsOf(db, root, branch, planned, atMost))
    if (todo) return todo
  }
  return { action: 'delete', steps: [{ kind: root.kind, id: root.id, name: root.name, project_id: null }] }
}

const deleteAll = (steps: Step[]): Todo | undefined =>
  steps.length > 0 ? { action: 'delete', steps } : undefined

async function rowsOf(
  db: Reader,
  root: Root,
  { kind, from, where, name }: Branch,
  planned: Planned,
  atMost: number,
  and = sql`true`,
): Promise<Step[]> {
  const project = kind === 'probe' ? sql`t.project_id` : sql`NULL::uuid`
  const { rows } = await sql<Step>`SELECT ${kind}::text AS kind, t.id, ${name ?? sql`t.name`} AS name,
      ${project} AS project_id
    FROM ${from} WHERE ${where(root)} AND ${isPlanned(planned)} AND ${and}
    ORDER BY t.id LIMIT ${atMost}`.execute(db)
  return rows
}

/** Instances that were told to stop and have not yet. */
export interface Waiting {
  count: number
  /** The one that has been stopping for the longest time, and since when. */
  slowest: Step
  since: Date
}

/** Those that are stopped are deleted, while others are stopping. */
async function nextInstances(
  db: Reader,
  root: Root,
  branch: Branch,
  planned: Planned,
  atMost: number,
): Promise<Todo | { waiting: Waiting } | undefined> {
  const rest = branch.concerned ?? sql`false`
  const stopped = await rowsOf(db, root, branch, planned, atMost, sql`NOT (${rest})`)
  if (stopped.length > 0) return { action: 'delete', steps: stopped }
  const found = await sql<Step & { total: number; since: Date }>`
    SELECT 'instance' AS kind, t.id, t.name, NULL AS project_id, count(*) OVER ()::int AS total,
      t.time_run_state_updated AS since
    FROM ${branch.from} WHERE ${branch.where(root)} AND ${isPlanned(planned)}
      AND t.run_state = 'stopping' ORDER BY t.time_run_state_updated, t.id LIMIT 1`.execute(db)
  const [slowest] = found.rows
  const free = stopsAtOnce - (slowest?.total ?? 0)
  const running =
    free > 0
      ? await rowsOf(db, root, branch, planned, free, sql`(${rest}) AND t.run_state <> 'stopping'`)
      : []
  if (running.length > 0) return { action: 'stop', steps: running }
  if (!slowest) return undefined
  const { total, since, ...step } = slowest
  return { waiting: { count: total, slowest: step, since } }
}

export const isOverdue = ({ since }: Waiting, now: Date): boolean =>
  now.getTime() - since.getTime() > deletionLimits.waitMinutes * 60_000
