import type { PermissionCheck, PermissionVerdict } from '@gantry/api/base/permission'
import { type Level, missingRoleSentence } from '@gantry/api/base/permission.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { sql } from 'kysely'
import { readAssignments } from '../../authz/assignments.ts'
import { explainRoles, type Roles } from '../../authz/effective.ts'
import { silosWithFleetRoles, siloLocation } from '../../authz/fleet-stake.ts'
import {
  type GrantedBy,
  grantedBy,
  needed,
  neededRoles,
  type ResourceLocation,
  type ResourceClass,
  stakeReason,
} from '../../authz/policy.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'

const classOf = {
  fleet: 'fleet',
  silo: 'silo',
  silo_deletion: 'silo',
  silo_quotas: 'siloQuotas',
  silo_user: 'siloUser',
  silo_group: 'siloGroup',
  silo_image: 'siloImage',
  silo_view: 'siloView',
  identity_provider: 'identityProviderList',
  user_credentials: 'userCredentials',
  certificate: 'certificate',
  scim_token: 'scimToken',
  project: 'project',
  project_network: 'projectNetwork',
} as const satisfies Record<PermissionCheck['object'], ResourceClass>

/** The object of a check, with the names used to describe missing roles. */
interface LocatedCheck {
  location: ResourceLocation
  names: Readonly<Record<Level, string | null>>
}

/**
 * Evaluates the policy itself and reports the deciding role; an object that the caller may not see is simply
 * not allowed. All checks of a page are read in as few statements as possible.
 */
export async function checkPermissions(
  cx: Cx,
  checks: readonly PermissionCheck[],
): Promise<{ verdicts: PermissionVerdict[] }> {
  const named = await findNamed(cx, checks)
  const placed: { check: PermissionCheck; checked: LocatedCheck | undefined; by: GrantedBy | undefined }[] =
    []
  for (const check of checks) {
    const checked = locate(cx, named, check)
    placed.push({ check, checked, by: checked && grantedBy(cx.user(), check.action, checked.location) })
  }
  const roles = placed.some(({ by }) => by !== undefined) ? await rolesOfCaller(cx, named) : undefined
  return {
    verdicts: placed.map(({ check, checked, by }) =>
      checked && by && roles
        ? {
            allowed: true,
            reason: null,
            grant: { by, source: sourceOf(roles, by, checked.location) },
            missing: [],
          }
        : refusedVerdict(check, checked),
    ),
  }
}

function refusedVerdict(
  { action, object }: PermissionCheck,
  checked: LocatedCheck | undefined,
): PermissionVerdict {
  const missing = checked
    ? neededRoles(action, checked.location).map(({ on, role_name }) => ({
        on,
        role_name,
        name: checked.names[on],
      }))
    : []
  // For hidden objects, and for actions that no role allows, this is the only reason.
  const reason =
    checked && missing.length > 0
      ? missingRoleSentence(missing) + stakeReason(checked.location)
      : `You need ${needed(action, { class: classOf[object] })}`
  return { allowed: false, reason, grant: null, missing }
}

/** The caller's strongest role on the level that allowed the action. */
function sourceOf(roles: Roles, by: GrantedBy, { project_id }: ResourceLocation) {
  if (by === 'fleet') return roles.fleet.sources[0] ?? null
  if (by === 'silo') return roles.silo.sources[0] ?? null
  if (by !== 'project' || !project_id) return null
  return roles.inProject(project_id).sources.find(({ assigned_on }) => assigned_on === 'project') ?? null
}

/** Roles on the fleet, on the caller's silo, and in the projects asked about. */
async function rolesOfCaller(cx: Cx, { silos, projects }: Named): Promise<Roles> {
  const { silo_id, user_id } = cx.user()
  const asked = projects.map(({ id }) => id)
  const held = await readAssignments(cx.db, silo_id, [user_id], asked)
  return explainRoles(held(user_id), silos.find(({ id }) => id === silo_id)?.mapped_fleet_roles ?? {})
}

type Silo = Pick<Row<'silo'>, 'id' | 'name' | 'mapped_fleet_roles'>
type Project = Pick<Row<'project'>, 'id' | 'name'>

/** The existing silos and projects that checks name, and the caller's own silo. */
interface Named {
  silos: readonly Silo[]
  projects: readonly Project[]
  /** Of the silos with checks that need it, those whose users hold fleet roles. */
  withFleetRoles: ReadonlySet<string>
}

async function findNamed(cx: Cx, checks: readonly PermissionCheck[]): Promise<Named> {
  const { silo_id } = cx.user()
  const asked = (isProject: boolean) =>
    checks.flatMap(({ object, id }) => (isOfProject(object) === isProject && id ? [id] : []))
  const condition = (selectors: readonly string[]) => {
    const ids = selectors.filter(isUuid).map(canonicalUuid)
    const names = selectors.filter((selector) => !isUuid(selector))
    return sql`(id = ANY (${ids}::uuid[]) OR name = ANY (${names}::text[]))`
  }
  const { rows } = await sql<Silo & { is_project: boolean }>`
    SELECT false AS is_project, id, name, mapped_fleet_roles FROM silo
    WHERE time_deleted IS NULL AND ${condition([silo_id, ...asked(false)])}
    UNION ALL
    SELECT true, id, name, NULL FROM project
    WHERE time_deleted IS NULL AND silo_id = ${silo_id} AND ${condition(asked(true))}`.execute(cx.db)
  const silos = rows.filter((row) => !row.is_project)
  const staked = checks.filter(protectsFleetRoles)
  return {
    silos,
    projects: rows.filter((row) => row.is_project),
    withFleetRoles: await silosWithFleetRoles(
      cx.db,
      silos.filter((silo) => staked.some(({ id }) => isNamed(id || silo_id)(silo))),
    ),
  }
}

const isOfProject = (object: PermissionCheck['object']): object is 'project' | 'project_network' =>
  object === 'project' || object === 'project_network'

const isNamed =
  (selector: string) =>
  ({ id, name }: Project): boolean =>
    isUuid(selector) ? id === canonicalUuid(selector) : name === selector

/** Undefined for objects that the caller may not see. */
function locate(cx: Cx, named: Named, check: PermissionCheck): LocatedCheck | undefined {
  const { object, id } = check
  if (object === 'fleet') return { location: { class: 'fleet' }, names: noNames }
  if (isOfProject(object))
    return id ? projectLocation(cx, classOf[object], named.projects.find(isNamed(id))) : undefined
  const silo = named.silos.find(isNamed(id || cx.user().silo_id))
  if (!silo || !cx.can('read', siloLocation(silo))) return undefined
  return { location: locationIn(named, check, silo), names: { ...noNames, silo: silo.name } }
}

/** A SCIM token can be deleted by those, too, who may not create one. */
const protectsFleetRoles = ({ object, action }: PermissionCheck): boolean =>
  object === 'identity_provider' ||
  object === 'silo_deletion' ||
  (object === 'scim_token' && action === 'create_child')

/** Checks on users name no one in particular; users with fleet roles are protected in addition. */
function locationIn({ withFleetRoles }: Named, check: PermissionCheck, silo: Silo): ResourceLocation {
  const { object } = check
  if (object === 'silo') return siloLocation(silo)
  const location = { class: classOf[object], silo_id: silo.id }
  return protectsFleetRoles(check) ? { ...location, fleet_stake: withFleetRoles.has(silo.id) } : location
}

const noNames = { fleet: null, silo: null, project: null }

function projectLocation(cx: Cx, own: ResourceClass, project: Project | undefined): LocatedCheck | undefined {
  const { silo_id, silo_name } = cx.user()
  const location = { class: own, silo_id, project_id: project?.id }
  if (!project || !cx.can('read', location)) return undefined
  return { location, names: { fleet: null, silo: silo_name, project: project.name } }
}
