import type { Action } from '@gantry/api/extensions.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { CompiledQuery } from 'kysely'
import { needed, type Place, type ResourceClass } from '../authz/policy.ts'
import type { Row, TrackedName } from '../db/tables.ts'
import { isExpected, type Scope, stale } from './change.ts'
import type { Cx, Reader } from './cx.ts'
import { forbidden, invalid, notFound, type Refusal, unauthorized } from './refusal.ts'

interface Findable {
  /** The selector's name in paths and queries. */
  key: string
  type: string
  class: ResourceClass
  parent?: { table: FindableName; column: string }
  /** What is said when an id comes with a parent, and a name without one. */
  both: string
  alone: string
}

type FindableName =
  | 'project'
  | 'instance'
  | 'disk'
  | 'snapshot'
  | 'image_upload'
  | 'vpc'
  | 'vpc_subnet'
  | 'vpc_router'
  | 'router_route'
  | 'internet_gateway'
  | 'internet_gateway_ip_pool'
  | 'internet_gateway_ip_address'
  | 'network_interface'
  | 'anti_affinity_group'
  | 'affinity_group'
  | 'external_ip'

const inProject = (key: string, type: string, both: string, alone: string): Findable => ({
  key,
  type,
  class: 'projectChild',
  parent: { table: 'project', column: 'project_id' },
  both: `when providing ${both} project should not be specified`,
  alone: `${alone} or project should be specified`,
})
const under = (
  table: FindableName,
  column: string,
  key: string,
  type: string,
  both: string,
  alone: string,
): Findable => ({
  key,
  type,
  class: 'projectChild',
  parent: { table, column },
  both,
  alone,
})

/** How each kind is addressed; the commas differ and clients see them (control plane reference, A 3). */
const findables: Record<FindableName, Findable> = {
  project: { key: 'project', type: 'project', class: 'project', both: '', alone: '' },
  instance: inProject('instance', 'instance', 'instance as an ID', 'instance should either be UUID'),
  disk: inProject('disk', 'disk', 'disk as an ID', 'disk should either be UUID'),
  snapshot: inProject('snapshot', 'snapshot', 'snapshot as an ID,', 'snapshot should either be an ID'),
  /** Addressed by id alone: those that ended share their name with others. */
  image_upload: inProject('upload', 'image-upload', 'upload as an ID', 'upload should be UUID'),
  /** Only floating addresses have a name and a project, so the others are never found. */
  external_ip: inProject(
    'floating_ip',
    'floating-ip',
    'Floating IP as an ID',
    'Floating IP should either be UUID',
  ),
  vpc: inProject('vpc', 'vpc', 'vpc as an ID,', 'vpc should either be an ID'),
  affinity_group: inProject(
    'affinity_group',
    'affinity-group',
    'affinity_group as an ID,',
    'affinity_group should either be UUID',
  ),
  anti_affinity_group: inProject(
    'anti_affinity_group',
    'anti-affinity-group',
    'anti_affinity_group as an ID,',
    'anti_affinity_group should either be UUID',
  ),
  vpc_subnet: under(
    'vpc',
    'vpc_id',
    'subnet',
    'vpc-subnet',
    'when providing subnet as an ID, vpc and project should not be specified',
    'subnet should either be an ID or vpc should be specified',
  ),
  vpc_router: under(
    'vpc',
    'vpc_id',
    'router',
    'vpc-router',
    'when providing router as an ID vpc and project should not be specified',
    'router should either be an ID or vpc should be specified',
  ),
  router_route: under(
    'vpc_router',
    'vpc_router_id',
    'route',
    'router-route',
    'when providing route as an ID router, subnet, vpc, and project should not be specified',
    'route should either be an ID or router should be specified',
  ),
  internet_gateway: under(
    'vpc',
    'vpc_id',
    'gateway',
    'internet-gateway',
    'when providing gateway as an ID vpc and project should not be specified',
    'gateway should either be an ID or vpc should be specified',
  ),
  internet_gateway_ip_pool: under(
    'internet_gateway',
    'internet_gateway_id',
    'pool',
    'internet-gateway-ip-pool',
    'when providing pool as an ID gateway, subnet, vpc, and project should not be specified',
    'pool should either be an ID or gateway should be specified',
  ),
  internet_gateway_ip_address: under(
    'internet_gateway',
    'internet_gateway_id',
    'address',
    'internet-gateway-ip-address',
    'when providing address as an ID gateway, subnet, vpc, and project should not be specified',
    'address should either be an ID or gateway should be specified',
  ),
  network_interface: under(
    'instance',
    'instance_id',
    'interface',
    'instance-network-interface',
    'when providing network_interface as an id instance and project should not be specified',
    'network_interface should either be a UUID or instance should be specified',
  ),
}

export interface Found<Name extends TrackedName> {
  row: Row<Name>
  place: Place
  scope: Scope
}

export type Selectors = Readonly<Record<string, string | null | undefined>>

/**
 * Finds by name or id, and checks in the same step. 404 where the caller may not know of it, 403 where it may
 * know but not act, 401 for nobody; the messages repeat how the object was addressed, whether it exists or not.
 */
export async function need<Name extends FindableName>(
  cx: Cx,
  table: Name,
  at: Selectors,
  action: Action,
): Promise<Found<Name>> {
  const spec = findables[table]
  checkSelectors(table, at)
  if (cx.actor.kind === 'anonymous') throw unauthorized()
  const row = await find(cx.db, cx, table, at)
  if (!isKnown(cx, table, row)) throw await unknownIn(cx, table, at)
  const { '~silo_id': silo_id, '~project_id': project_id, ...own } = row
  const place: Place = { class: spec.class, silo_id, project_id }
  if (!cx.can(action, place)) throw forbidden(needed(action, place))
  const found = own as unknown as Row<Name>
  if (action === 'modify') aim(cx, row as unknown as { id: string; generation: number })
  return { row: found, place, scope: { silo_id, project_id } }
}

/** The first thing that a request is to modify is what its `If-Match` speaks of. */
export function aim(cx: Cx, row: { id: string; generation: number }): void {
  cx.target ??= { id: row.id, generation: row.generation }
  if (cx.target.id === row.id && !isExpected(cx, row.generation)) throw stale(row.generation)
}

export const addressOf = (type: string, selector: string): Refusal =>
  notFound(type, isUuid(selector) ? { id: canonicalUuid(selector) } : { name: selector })

/** An id needs no parent and takes none; a name needs one, all the way up. */
function checkSelectors(table: FindableName, at: Selectors): void {
  const spec = findables[table]
  if (!spec.parent) return
  if (isUuid(at[spec.key] ?? '')) {
    for (let up: Findable | undefined = parentOf(spec); up; up = parentOf(up))
      if (at[up.key]) throw invalid(spec.both)
    return
  }
  if (!at[parentOf(spec)?.key ?? '']) throw invalid(spec.alone)
  checkSelectors(spec.parent.table, at)
}

const parentOf = (spec: Findable): Findable | undefined =>
  spec.parent ? findables[spec.parent.table] : undefined

/** Whether it is there and the caller may know of it. */
const isKnown = (cx: Cx, table: FindableName, row: FoundRow | undefined): row is FoundRow =>
  row !== undefined &&
  cx.can('read', {
    class: findables[table].class,
    silo_id: row['~silo_id'],
    project_id: row['~project_id'],
  })

/**
 * The refusal for an address that leads to nothing the caller may know of. It names the outermost object on the way
 * that is unknown to the caller, so a hidden project and a project that does not exist get the same answer, whatever
 * is asked for inside it.
 */
async function unknownIn(cx: Cx, table: FindableName, at: Selectors): Promise<Refusal> {
  for (const outer of namedOnTheWay(table, at).toReversed())
    if (!isKnown(cx, outer, await find(cx.db, cx, outer, at))) return addressAt(outer, at)
  return addressAt(table, at)
}

/** What the object's name is looked up in, the nearest first: an id ends the way. */
function namedOnTheWay(table: FindableName, at: Selectors): FindableName[] {
  const { key, parent } = findables[table]
  return parent && !isUuid(at[key] ?? '') ? [parent.table, ...namedOnTheWay(parent.table, at)] : []
}

const addressAt = (table: FindableName, at: Selectors): Refusal =>
  addressOf(findables[table].type, at[findables[table].key] ?? '')

type FoundRow = Record<string, unknown> & { '~silo_id': string; '~project_id': string }

/** One query up to the project, so that a look-up costs one round trip however deep the object lies. */
async function find(db: Reader, cx: Cx, table: FindableName, at: Selectors): Promise<FoundRow | undefined> {
  const bound: string[] = []
  let shape: string = table
  for (let name: FindableName | undefined = table; name; name = findables[name].parent?.table) {
    const selector = at[findables[name].key]
    if (!selector) break
    const byId = isUuid(selector)
    bound.push(byId ? canonicalUuid(selector) : selector)
    shape += byId ? ' id' : ' name'
    if (byId) break
  }
  if (cx.actor.kind === 'silo_user') {
    bound.push(cx.actor.silo_id)
    shape += ' silo'
  }
  const text = statements.get(shape) ?? statementOf(shape)
  return (await db.executeQuery<FoundRow>(CompiledQuery.raw(text, bound))).rows[0]
}

/** Text by shape: which table, addressed how. Every request looks something up, so none is put together twice. */
const statements = new Map<string, string>()

function statementOf(shape: string): string {
  const [table, ...parts] = shape.split(' ') as [FindableName, ...string[]]
  const silo = parts.at(-1) === 'silo' ? parts.pop() : undefined
  const joins: string[] = []
  const wheres: string[] = []
  let depth = 0
  for (let name: FindableName | undefined = table; name; name = findables[name].parent?.table, depth++) {
    const part = parts[depth]
    wheres.push(`t${depth}.time_deleted IS NULL`)
    if (part) wheres.push(`t${depth}.${part} = $${depth + 1}`)
    const { parent } = findables[name]
    if (parent)
      joins.push(`JOIN ${parent.table} t${depth + 1} ON t${depth + 1}.id = t${depth}.${parent.column}`)
  }
  const project = `t${depth - 1}`
  if (silo) wheres.push(`${project}.silo_id = $${parts.length + 1}`)
  const text = `SELECT t0.*, ${project}.silo_id AS "~silo_id", ${project}.id AS "~project_id"
    FROM ${[`${table} t0`, ...joins].join(' ')} WHERE ${wheres.join(' AND ')} LIMIT 1`
  statements.set(shape, text)
  return text
}
