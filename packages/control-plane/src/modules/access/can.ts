import type { PermissionCheck, PermissionVerdict } from '@gantry/api/permission'
import { type Level, missingRoleSentence } from '@gantry/api/permission.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import { sql } from 'kysely'
import { readAssignments } from '../../authz/assignments.ts'
import { explainRoles, type Roles } from '../../authz/effective.ts'
import { hasFleetRoles, siloPlace } from '../../authz/fleet-stake.ts'
import {
  type GrantedBy,
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
 * allowed. Everything that a page asks for is read in as few statements as it takes.
 */
export async function checkPermissions(
  cx: Cx,
  checks: readonly PermissionCheck[],
): Promise<{ verdicts: PermissionVerdict[] }> {
  const named = await findNamed(cx, checks)
  const placed: { check: PermissionCheck; checked: Checked | undefined; by: GrantedBy | undefined }[] = []
  for (const check of checks) {
    const checked = await placeOf(cx, named, check)
    placed.push({ check, checked, by: checked && grantedBy(cx.user(), check.action, checked.place) })
  }
  const roles = placed.some(({ by }) => by !== undefined) ? await rolesOfCaller(cx, named) : undefined
  return {
    verdicts: placed.map(({ check, checked, by }) =>
      checked && by && roles
        ? {
            allowed: true,
            reason: null,
            grant: { by, source: sourceOf(roles, by, checked.place) },
            missing: [],
          }
        : refusedVerdict(check, checked),
    ),
  }
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
function sourceOf(roles: Roles, by: GrantedBy, { project_id }: Place) {
  if (by === 'fleet') return roles.fleet.sources[0] ?? null
  if (by === 'silo') return roles.silo.sources[0] ?? null
  if (by !== 'project' || !project_id) return null
  return roles.inProject(project_id).sources.find(({ assigned_on }) => assigned_on === 'project') ?? null
}

/** On the fleet, on the own silo, and in the projects that were asked about. */
async function rolesOfCaller(cx: Cx, { silos, projects }: Named): Promise<Roles> {
  const { silo_id, user_id } = cx.user()
  const asked = projects.map(({ id }) => id)
  const held = await readAssignments(cx.db, silo_id, [user_id], asked)
  return explainRoles(held(user_id), silos.find(({ id }) => id === silo_id)?.mapped_fleet_roles ?? {})
}

type Silo = Pick<Row<'silo'>, 'id' | 'name' | 'mapped_fleet_roles'>
type Project = Pick<Row<'project'>, 'id' | 'name'>

/** What exists of the silos and projects that checks name, and the caller's own silo. */
interface Named {
  silos: readonly Silo[]
  projects: readonly Project[]
  /** Of the silos that were asked for it: whether people of theirs hold roles on the fleet. */
  withFleetRoles: Map<string, boolean>
}

async function findNamed(cx: Cx, checks: readonly PermissionCheck[]): Promise<Named> {
  const { silo_id } = cx.user()
  const asked = (isProject: boolean) =>
    checks.flatMap(({ object, id }) => ((object === 'project') === isProject && id ? [id] : []))
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
  return {
    silos: rows.filter((row) => !row.is_project),
    projects: rows.filter((row) => row.is_project),
    withFleetRoles: new Map(),
  }
}

const isNamed =
  (selector: string) =>
  ({ id, name }: Project): boolean =>
    isUuid(selector) ? id === canonicalUuid(selector) : name === selector

/** Undefined for what the caller may not know of. */
async function placeOf(cx: Cx, named: Named, { object, id }: PermissionCheck): Promise<Checked | undefined> {
  if (object === 'fleet') return { place: { class: 'fleet' }, names: noNames }
  if (object === 'project') return id ? projectPlace(cx, named.projects.find(isNamed(id))) : undefined
  const silo = named.silos.find(isNamed(id || cx.user().silo_id))
  if (!silo || !cx.can('read', siloPlace(silo))) return undefined
  return { place: await placeIn(cx, named, object, silo), names: { ...noNames, silo: silo.name } }
}

/** Of people it is not asked who: whoever holds a role on the fleet is protected besides. */
async function placeIn(
  cx: Cx,
  { withFleetRoles }: Named,
  object: PermissionCheck['object'],
  silo: Silo,
): Promise<Place> {
  if (object === 'silo') return siloPlace(silo)
  const place = { class: classOf[object], silo_id: silo.id }
  if (object !== 'identity_provider') return place
  const fleet_stake = withFleetRoles.get(silo.id) ?? (await hasFleetRoles(cx.db, silo))
  withFleetRoles.set(silo.id, fleet_stake)
  return { ...place, fleet_stake }
}

const noNames = { fleet: null, silo: null, project: null }

function projectPlace(cx: Cx, project: Project | undefined): Checked | undefined {
  const { silo_id, silo_name } = cx.user()
  const place = { class: 'project', silo_id, project_id: project?.id } as const
  if (!project || !cx.can('read', place)) return undefined
  return { place, names: { fleet: null, silo: silo_name, project: project.name } }
}
