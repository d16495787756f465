import { mapsToFleet, type MappedFleetRoles, type ResourceLocation } from '../authz/policy.ts'
import type { Action } from '@gantry/api/extensions.rules'
import { type KindName, kinds, parts } from './kinds.ts'
import type { AuditActor } from '../db/tables.ts'

interface Ancestors {
  silo_id?: string | undefined
  project_id?: string | null
}

/** What the policy needs to know about an object in a silo, and perhaps in a project. */
export function locationOf(
  table: KindName,
  row: Readonly<Record<string, unknown>>,
  { silo_id, project_id }: Ancestors,
): ResourceLocation {
  const { class: own, parent, orProject } = kinds[table]
  const location: ResourceLocation = { class: orProject && project_id ? 'projectChild' : own }
  if (silo_id !== undefined) location.silo_id = silo_id
  if (project_id) location.project_id = project_id
  if (table === 'silo_user') location.owner_id = row.id as string
  if (parent === 'silo_user') location.owner_id = row.silo_user_id as string
  // A silo's policy and sign-in settings decide who holds roles that reach the fleet.
  if (table === 'silo') location.fleet_stake = mapsToFleet(row.mapped_fleet_roles as MappedFleetRoles)
  return location
}

interface Caller {
  can: (action: Action, location: ResourceLocation) => boolean
}

/** Whether the caller may see an object that was not found by `need`. Reading puts no role on the fleet at stake. */
export const sees = (
  cx: Caller,
  table: KindName,
  ancestors: { silo_id: string | undefined; project_id: string | null },
): boolean => cx.can('read', locationOf(table, { mapped_fleet_roles: {} }, ancestors))

const byWord = new Map(Object.values(kinds).map((kind) => [kind.word, kind]))

/** The class of what is in a project, by the word of its kind: networks have their own. */
export const classInProject = (kind: string): 'projectChild' | 'projectNetwork' =>
  byWord.get(kind)?.class === 'projectNetwork' ? 'projectNetwork' : 'projectChild'

interface Changed {
  kind: string
  id: string
  silo_id: string | null
  project_id: string | null
  actor: AuditActor
}

/** The policy's view of where a changed object is; decides who sees the change. */
export function locationOfChange({ kind, id, silo_id, project_id, actor }: Changed): ResourceLocation {
  if (silo_id === null) return { class: 'fleet' }
  const described = byWord.get(kind)
  // News for a user names the user.
  if (isToPerson(kind)) return { class: 'ownNews', silo_id, owner_id: id }
  // A user's own things are visible only on changes made by that user.
  const owned = described?.parent === 'silo_user' ? described.class : ofPerson(kind)
  if (owned && actor.kind === 'silo_user') return { class: owned, silo_id, owner_id: actor.silo_user_id }
  if (owned && actor.kind === 'scim') return { class: owned, silo_id }
  // These have classes of their own, whatever their project.
  if (described?.class === 'project') return { class: 'project', silo_id, project_id: id }
  if (described?.shownBy && !described.orProject) return { class: described.shownBy, silo_id, project_id }
  if (project_id) return { class: classInProject(kind), silo_id, project_id }
  return { class: described?.shownBy ?? 'silo', silo_id }
}

/** Whether these are a user's credentials, which have no names of their own. */
export const isOfPerson = (kind: string): boolean =>
  ofPerson(kind) === 'userCredentials' || byWord.get(kind)?.class === 'userCredentials'

type Part = { ofPerson?: ResourceLocation['class']; toPerson?: true }
const partOf = (kind: string) => (parts as Readonly<Record<string, Part>>)[kind]
const ofPerson = (kind: string) => partOf(kind)?.ofPerson
const isToPerson = (kind: string): boolean => partOf(kind)?.toPerson === true
