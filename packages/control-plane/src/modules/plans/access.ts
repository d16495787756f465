import type { RoleAssignment, RolePolicy } from '@gantry/api/people/policy'
import type { ChangePlan } from '@gantry/api/history/plan'
import { planLimits } from '@gantry/api/history/plan.rules'
import { sql } from 'kysely'
import { type Assignment, explainRoles } from '../../authz/effective.ts'
import { fleetId } from '../../authz/actor.ts'
import type { Cx } from '../../context/cx.ts'
import type { MadeChange } from '../../context/services.ts'

type Records = MadeChange['records']
type Access = ChangePlan['access']
type Level = Assignment['resource_type']

/** Members of groups that are examined at most. */
const maxMembers = 10_000
/** Examining many members costs its caller as much as sending a list of them, roughly. */
const membersOfItem = 100

/** The policy that changes, and the wider one whose roles are inherited from. */
interface PolicyChange {
  level: Level
  resource: string
  before: readonly RoleAssignment[]
  after: readonly RoleAssignment[]
  wider: readonly RoleAssignment[]
}

/**
 * Users whose strongest role changes where policies do, also through groups: those of a group that loses its role
 * often have another one, and then lose nothing.
 */
export async function accessOf(cx: Cx, records: Records): Promise<Access> {
  const record = records.find(({ kind }) => kind === 'policy')
  const change = record && (await policyChangeOf(cx, record))
  if (!change) return { users: [], count: 0, examined: 0 }
  const users = await affectedUsers(cx, change)
  cx.charge(Math.ceil(users.length / membersOfItem))
  const changed = users.flatMap(({ id, name, silo_id, groups }) => {
    const mine = new Set([id, ...groups])
    const before = roleOf(change, change.before, mine)
    const after = roleOf(change, change.after, mine)
    if (before === after) return []
    const isSeen = cx.can('read', { class: 'siloUser', silo_id })
    return [{ id, name: isSeen ? name : null, before, after }]
  })
  const sorted = changed.toSorted(
    (one, other) => Number(one.after !== null) - Number(other.after !== null) || (one.id < other.id ? -1 : 1),
  )
  return { users: sorted.slice(0, planLimits.affected), count: changed.length, examined: users.length }
}

async function policyChangeOf(
  cx: Cx,
  { object_id, silo_id, project_id, before, after }: Records[number],
): Promise<PolicyChange | undefined> {
  const of = (contents: typeof before) =>
    (contents as Partial<RolePolicy> | undefined)?.role_assignments ?? []
  const level: Level = object_id === fleetId ? 'fleet' : object_id === silo_id ? 'silo' : 'project'
  if (level === 'project' && project_id === null) return undefined
  const wider =
    level !== 'project' || silo_id === null
      ? []
      : await cx.db
          .selectFrom('role_assignment')
          .select(['identity_id', 'identity_type', 'role_name'])
          .where('resource_type', '=', 'silo')
          .where('resource_id', '=', silo_id)
          .execute()
  return { level, resource: object_id, before: of(before), after: of(after), wider }
}

interface Affected {
  id: string
  name: string
  silo_id: string
  /** Of those that any of the policies names. */
  groups: readonly string[]
}

/** Users whose own roles change, and members of groups whose roles do. */
async function affectedUsers(cx: Cx, { before, after, wider }: PolicyChange): Promise<Affected[]> {
  const changed = [...differing(before, after), ...differing(after, before)]
  if (changed.length === 0) return []
  const ids = changed.map(({ identity_id }) => identity_id)
  const groups = [...before, ...after, ...wider]
    .filter(({ identity_type }) => identity_type === 'silo_group')
    .map(({ identity_id }) => identity_id)
  const { rows } = await sql<Affected>`
    SELECT u.id, u.external_id AS name, u.silo_id,
      ARRAY(SELECT m.silo_group_id::text FROM silo_group_membership m
        WHERE m.silo_user_id = u.id AND m.silo_group_id = ANY (${groups}::uuid[])) AS groups
    FROM silo_user u WHERE u.time_deleted IS NULL AND u.id IN (
      SELECT unnest(${ids}::uuid[])
      UNION SELECT m.silo_user_id FROM silo_group_membership m WHERE m.silo_group_id = ANY (${ids}::uuid[]))
    ORDER BY u.id LIMIT ${maxMembers}`.execute(cx.db)
  return rows
}

const keyOf = ({ identity_id, role_name }: RoleAssignment): string => `${identity_id} ${role_name}`

function differing(list: readonly RoleAssignment[], other: readonly RoleAssignment[]): RoleAssignment[] {
  const known = new Set(other.map(keyOf))
  return list.filter((each) => !known.has(keyOf(each)))
}

/** The strongest role that someone has there, directly, by a group, or inherited. */
function roleOf(
  { level, resource, wider }: PolicyChange,
  own: readonly RoleAssignment[],
  mine: ReadonlySet<string>,
): Access['users'][number]['before'] {
  const held = (list: readonly RoleAssignment[], resource_type: Level): Assignment[] =>
    list
      .filter(({ identity_id }) => mine.has(identity_id))
      .map(({ role_name }) => ({ resource_type, resource_id: resource, role_name, group: null }))
  const roles = explainRoles([...held(own, level), ...held(wider, 'silo')], {})
  if (level === 'fleet') return roles.fleet.role_name
  return (level === 'silo' ? roles.silo : roles.inProject(resource)).role_name
}
