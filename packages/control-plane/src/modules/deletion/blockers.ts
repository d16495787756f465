import type { DeletionBlocker } from '@gantry/api/history/deletion'
import { deletionLimits } from '@gantry/api/history/deletion.rules'
import { protectedBy, protectionHelp } from '@gantry/api/history/protection.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { kinds } from '../../lookup/kinds.ts'
import { sees } from '../../lookup/location.ts'
import { instancesWithCd } from '../compute/hardware/drives.ts'
import { type Branch, deletesProjects } from './branches.ts'
import { type Root, rootTables } from './root.ts'
import { type Stuck, stuckOf, type Total } from './totals.ts'

const { names, rowsOfKind } = deletionLimits

/** Everything that is in the way, each with the way out; an empty list means that the deletion begins. */
export async function blockersOfPlan(
  cx: Cx,
  db: Reader,
  root: Root,
  branches: readonly Branch[],
  totals: ReadonlyMap<string, Total>,
): Promise<DeletionBlocker[]> {
  const own: Branch = {
    key: 'root',
    kind: root.kind,
    from: sql`${sql.table(rootTables[root.kind])} t`,
    where: ({ id }) => sql`t.id = ${id}`,
    fate: 'deleted',
    ...(root.kind !== 'silo' && root.kind !== 'ip-pool' && { isProtectable: true }),
  }
  const all = [own, ...branches]
  const stuck = await stuckOf(db, root, all)
  return [
    ...(await runningOf(db, root)),
    ...stuck.flatMap((one) => wordsOf(cx, one, branchOf(all, one))),
    ...(await heldOf(cx, db, root)),
    ...branches.flatMap((branch) => tooMany(branch, totals.get(branch.key)?.count ?? 0)),
  ]
}

function branchOf(all: readonly Branch[], { key }: Stuck): Branch {
  const branch = all.find((one) => one.key === key)
  if (!branch) throw new Error(`no branch ${key}`)
  return branch
}

const nounsByWord = new Map(Object.values(kinds).map(({ word, noun }) => [word, noun]))

/** In the words of people; a floating IP is no object of its own kind's word. */
export const nounOf = (kind: string): string => nounsByWord.get(kind) ?? kind.replaceAll('-', ' ')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const plural = (kind: string, count: number): string =>
  `${count.toLocaleString('en-US')} ${nounOf(kind)}${count === 1 ? '' : 's'}`

/** A line for each of the first objects, which have reasons of their own, and one for the rest. */
function wordsOf(cx: Cx, { cause, count, first }: Stuck, { kind, stuck }: Branch): DeletionBlocker[] {
  const help = cause === 'protected' ? protectionHelp : (stuck?.help ?? '')
  const lines = first.map(({ id, name, state, protection, by, by_silo_id }) => {
    const isShown = by_silo_id !== null && cx.can('read', { class: 'siloUser', silo_id: by_silo_id })
    const why = protection
      ? protectedBy(isShown ? by : null, protection.reason)
      : `in state ${state}, in which it cannot be deleted`
    const message = `${capital(nounOf(kind))} ${name} is ${why}`
    return { cause, kind, count: 1, first: [{ id, name }], message, help }
  })
  const rest = count - first.length
  if (rest <= 0) return lines
  const more = cause === 'protected' ? 'are protected too' : 'cannot be deleted in their state either'
  return [...lines, { cause, kind, count: rest, first: [], message: `${plural(kind, rest)} ${more}`, help }]
}

const tooMany = ({ kind }: Branch, count: number): DeletionBlocker[] =>
  count <= rowsOfKind
    ? []
    : [
        {
          cause: 'too_many',
          kind,
          count,
          first: [],
          message: `There are more than ${plural(kind, rowsOfKind)}`,
          help: 'Delete some of them first, or some of the projects.',
        },
      ]

async function runningOf(db: Reader, { id, kind, name }: Root): Promise<DeletionBlocker[]> {
  const running = await db
    .selectFrom('deletion')
    .select('id')
    .where('object_id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  if (!running) return []
  return [
    {
      cause: 'running',
      kind,
      count: 1,
      first: [{ id, name }],
      message: `${capital(nounOf(kind))} ${name} is being deleted already`,
      help: 'Wait until that is done.',
    },
  ]
}

/** What uses the object from outside, and what in it the caller may not delete. */
async function heldOf(cx: Cx, db: Reader, root: Root): Promise<DeletionBlocker[]> {
  switch (root.kind) {
    case 'vpc':
      return [...(await instancesIn(db, root)), ...(await hiddenInterfaces(db, root))]
    case 'project':
      return canDeleteProbes(cx, root) ? [] : hiddenInterfaces(db, root)
    case 'silo':
      return deletesProjects(cx, root)
        ? canDeleteProbes(cx, root)
          ? []
          : hiddenInterfaces(db, root)
        : projectsIn(db, root)
    case 'ip-pool':
      return [...(await addressesOf(db, root)), ...(await lastOfServices(db, root))]
    case 'image':
      return inDrives(cx, db, root)
    default:
      return root.kind satisfies never
  }
}

const canDeleteProbes = (cx: Cx, root: Root): boolean =>
  cx.actor.kind === 'silo_user' &&
  cx.can('modify', {
    class: 'probe',
    silo_id: cx.actor.silo_id,
    ...(root.kind === 'project' && { project_id: root.id }),
  })

interface Counted {
  count: number
  first: { id: string; name: string }[]
}

async function counted(db: Reader, rows: RawBuilder<unknown>): Promise<Counted | undefined> {
  const found = await sql<Counted>`WITH r AS (${rows} LIMIT ${rowsOfKind}) SELECT
    (SELECT count(*)::int FROM r) AS count,
    coalesce((SELECT json_agg(f) FROM (SELECT id, name FROM r ORDER BY name, id LIMIT ${names}) f), '[]'::json)
      AS first`.execute(db)
  const [one] = found.rows
  return one && one.count > 0 ? one : undefined
}

/** Names are shown of instances that the caller may see. */
async function inDrives(cx: Cx, db: Reader, { id }: Root): Promise<DeletionBlocker[]> {
  const found = await instancesWithCd(db, { id })
  if (found.length === 0) return []
  const shown = found.filter(({ project_id, silo_id }) => sees(cx, 'instance', { silo_id, project_id }))
  const message =
    found.length === 1
      ? `It is in a CD drive of ${shown[0] ? `instance ${shown[0].name}` : 'an instance that you may not see'}`
      : `It is in CD drives of ${plural('instance', found.length)}`
  const first = shown.map((one) => ({ id: one.id, name: one.name }))
  const help = 'Eject it there first.'
  return [{ cause: 'in_use', kind: 'instance', count: found.length, first, message, help }]
}

async function instancesIn(db: Reader, { id }: Root): Promise<DeletionBlocker[]> {
  const found = await counted(
    db,
    sql`SELECT DISTINCT i.id, i.name FROM network_interface n JOIN instance i ON i.id = n.instance_id
      WHERE n.vpc_id = ${id} AND n.time_deleted IS NULL`,
  )
  if (!found) return []
  const message =
    found.count === 1
      ? `Instance ${found.first[0]?.name} has an interface in it`
      : `${plural('instance', found.count)} have interfaces in it`
  const help = 'Delete their interfaces, or the instances, first.'
  return [{ cause: 'in_use', kind: 'instance', ...found, message, help }]
}

/** Probes are visible to operators only; that an interface is in use, everyone learns from the subnet's deletion. */
async function hiddenInterfaces(db: Reader, root: Root): Promise<DeletionBlocker[]> {
  const vpcs =
    root.kind === 'vpc'
      ? sql`v.id = ${root.id}`
      : root.kind === 'project'
        ? sql`v.project_id = ${root.id}`
        : sql`v.project_id IN (SELECT id FROM project WHERE silo_id = ${root.id} AND time_deleted IS NULL)`
  const found = await counted(
    db,
    sql`SELECT DISTINCT s.id, s.name FROM vpc v JOIN network_interface n ON n.vpc_id = v.id
      JOIN vpc_subnet s ON s.id = n.subnet_id
      WHERE ${vpcs} AND v.time_deleted IS NULL AND n.probe_id IS NOT NULL AND n.time_deleted IS NULL`,
  )
  if (!found) return []
  const subnets = found.first.map(({ name }) => name).join(', ')
  const message = `An interface still uses the subnet${found.count === 1 ? '' : 's'} ${subnets}`
  const help = 'It belongs to a probe. Only operators see probes, and can delete it.'
  return [{ cause: 'in_use', kind: 'vpc-subnet', ...found, message, help }]
}

async function projectsIn(db: Reader, { id }: Root): Promise<DeletionBlocker[]> {
  const found = await counted(
    db,
    sql`SELECT t.id, t.name FROM project t WHERE t.silo_id = ${id} AND t.time_deleted IS NULL`,
  )
  if (!found) return []
  const message = `The silo contains ${plural('project', found.count)}`
  const help = 'An administrator of the silo deletes them first.'
  return [{ cause: 'contains', kind: 'project', ...found, message, help }]
}

async function lastOfServices(db: Reader, { id }: Root): Promise<DeletionBlocker[]> {
  const { rows } = await sql<{
    name: string
  }>`SELECT t.name FROM ip_pool t WHERE t.id = ${id} AND t.is_service
    AND NOT EXISTS (SELECT 1 FROM ip_pool o WHERE o.is_service AND o.time_deleted IS NULL AND o.id <> t.id)`.execute(
    db,
  )
  return rows.map(({ name }) => ({
    cause: 'in_use',
    kind: 'ip-pool',
    count: 1,
    first: [{ id, name }],
    message: "the system's services have no other pool",
    help: 'Assign another pool to them first.',
  }))
}

async function addressesOf(db: Reader, { id }: Root): Promise<DeletionBlocker[]> {
  const found = await counted(
    db,
    // What the recycle bin reserves gives way.
    sql`SELECT t.id, t.ip AS name FROM external_ip t WHERE t.ip_pool_id = ${id} AND t.time_deleted IS NULL
      AND NOT EXISTS (SELECT 1 FROM recycled r WHERE r.id = t.id)`,
  )
  if (!found) return []
  const [one, many] = ['1 address of the pool is in use', `${found.count} addresses of the pool are in use`]
  const help = 'Detach and delete what holds them first.'
  return [{ cause: 'in_use', kind: 'external-ip', ...found, message: found.count === 1 ? one : many, help }]
}
