import type { PermissionCheck, PermissionVerdict } from '@gantry/api/permission'
import { type Level, missingRoleSentence } from '@gantry/api/permission.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { readAssignments } from '../../authz/assignments.ts'
import { explainRoles, type Roles } from '../../authz/effective.ts'
import { hasFleetRoles, siloPlace } from '../../authz/fleet-stake.ts'
import {
  grantedBy,
  needed,
  neededRoles,
  type Place,
  type ResourceClass,
  stakeReason,
} from '../../authz/policy.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'

const classOf = {
  fleet: 'fleet',
  silo: 'silo',
  silo_quotas: 'siloQuotas',
  silo_user: 'siloUser',
  silo_group: 'siloGroup',
  silo_image: 'siloImage',
  identity_provider: 'identityProviderList',
  user_credentials: 'userCredentials',
  certificate: 'certificate',
  project: 'project',
} as const satisfies Record<PermissionCheck['object'], ResourceClass>

/** What a check is about, with the names that a missing role is told by. */
interface Checked {
  place: Place
  names: Readonly<Record<Level, string | null>>
}

/**
 * Answers by the table that decides, with what it decided by; an object the caller may not know of is simply not
 * allowed.
 */
export async function checkPermissions(
  cx: Cx,
  checks: readonly PermissionCheck[],
): Promise<{ verdicts: PermissionVerdict[] }> {
  const found = new Map<string, Promise<Checked | undefined>>()
  let roles: Promise<Roles> | undefined
  const verdicts: PermissionVerdict[] = []
  for (const check of checks) {
    const key = `${check.object} ${check.id ?? ''}`
    const looking = found.get(key) ?? lookUp(cx, check)
    found.set(key, looking)
    const checked = await looking
    const by = checked && grantedBy(cx.user(), check.action, checked.place)
    if (!by) {
      verdicts.push(refusedVerdict(check, checked))
      continue
    }
    roles ??= rolesOfCaller(cx)
    verdicts.push({
      allowed: true,
      reason: null,
      grant: { by, source: sourceOf(await roles, by, checked.place) },
      missing: [],
    })
  }
  return { verdicts }
}

function refusedVerdict(
  { action, object }: PermissionCheck,
  checked: Checked | undefined,
): PermissionVerdict {
  const missing = checked
    ? neededRoles(action, checked.place).map(({ on, role_name }) => ({
        on,
        role_name,
        name: checked.names[on],
      }))
    : []
  // Of what the caller may not know of, or what no role gives, there is only this to say.
  const reason =
    checked && missing.length > 0
      ? missingRoleSentence(missing) + stakeReason(checked.place)
      : `You need ${needed(action, { class: classOf[object] })}`
  return { allowed: false, reason, grant: null, missing }
}

/** The strongest of what the caller holds on the level that allowed it. */
function sourceOf(roles: Roles, by: ReturnType<typeof grantedBy>, { project_id }: Place) {
  if (by === 'fleet') return roles.fleet.sources[0] ?? null
  if (by === 'silo') return roles.silo.sources[0] ?? null
  if (by !== 'project' || !project_id) return null
  return roles.inProject(project_id).sources.find(({ assigned_on }) => assigned_on === 'project') ?? null
}

async function rolesOfCaller(cx: Cx): Promise<Roles> {
  const { silo_id, user_id } = cx.user()
  const held = await readAssignments(cx.db, silo_id, [user_id])
  const { mapped_fleet_roles } = await cx.db
    .selectFrom('silo')
    .select('mapped_fleet_roles')
    .where('id', '=', silo_id)
    .executeTakeFirstOrThrow()
  return explainRoles(held(user_id), mapped_fleet_roles)
}

/** Undefined for what the caller may not know of. */
async function lookUp(cx: Cx, { object, id }: PermissionCheck): Promise<Checked | undefined> {
  if (object === 'fleet') return { place: { class: 'fleet' }, names: noNames }
  if (object === 'project') return id ? lookUpProject(cx, id) : undefined
  const silo = await siloOf(cx, id)
  if (!silo || !cx.can('read', siloPlace(silo))) return undefined
  return { place: await placeIn(cx, object, silo), names: { ...noNames, silo: silo.name } }
}

/** Of people it is not asked who: whoever holds a role on the fleet is protected besides. */
async function placeIn(cx: Cx, object: PermissionCheck['object'], silo: Silo): Promise<Place> {
  if (object === 'silo') return siloPlace(silo)
  const place = { class: classOf[object], silo_id: silo.id }
  if (object !== 'identity_provider') return place
  return { ...place, fleet_stake: await hasFleetRoles(cx.db, silo) }
}

const noNames = { fleet: null, silo: null, project: null }

type Silo = Pick<Row<'silo'>, 'id' | 'name' | 'mapped_fleet_roles'>

async function siloOf(cx: Cx, given: string | null | undefined): Promise<Silo | undefined> {
  const id = given || cx.user().silo_id
  const silos = cx.db
    .selectFrom('silo')
    .select(['id', 'name', 'mapped_fleet_roles'])
    .where('time_deleted', 'is', null)
  return (
    isUuid(id) ? silos.where('id', '=', canonicalUuid(id)) : silos.where('name', '=', id)
  ).executeTakeFirst()
}

async function lookUpProject(cx: Cx, id: string): Promise<Checked | undefined> {
  const { silo_id, silo_name } = cx.user()
  const projects = cx.db
    .selectFrom('project')
    .select(['id', 'name'])
    .where('silo_id', '=', silo_id)
    .where('time_deleted', 'is', null)
  const project = await (
    isUuid(id) ? projects.where('id', '=', canonicalUuid(id)) : projects.where('name', '=', id)
  ).executeTakeFirst()
  const place = { class: 'project', silo_id, project_id: project?.id } as const
  if (!project || !cx.can('read', place)) return undefined
  return { place, names: { fleet: null, silo: silo_name, project: project.name } }
}
