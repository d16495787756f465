import { mapsToFleet, type MappedFleetRoles, type Place } from '../authz/policy.ts'
import type { Cx } from './cx.ts'
import { type KindName, kinds, parts } from './kinds.ts'
import type { Published } from './publisher.ts'

interface Lies {
  silo_id?: string | undefined
  project_id?: string | null
}

/** What the policy has to know of an object of the kind that lies in a silo, and perhaps in a project. */
export function placeOf(
  table: KindName,
  row: Readonly<Record<string, unknown>>,
  { silo_id, project_id }: Lies,
): Place {
  const { class: own, parent, orProject } = kinds[table]
  const place: Place = { class: orProject && project_id ? 'projectChild' : own }
  if (silo_id !== undefined) place.silo_id = silo_id
  if (project_id) place.project_id = project_id
  if (table === 'silo_user') place.owner_id = row.id as string
  if (parent === 'silo_user') place.owner_id = row.silo_user_id as string
  // The policy and the sign-in settings of the silo decide who holds roles that reach the fleet.
  if (table === 'silo') place.fleet_stake = mapsToFleet(row.mapped_fleet_roles as MappedFleetRoles)
  return place
}

/** Whether the caller may know of an object of the kind that was found by other means than `need`. */
export const sees = (cx: Cx, table: KindName, lies: Required<Lies>): boolean =>
  cx.can('read', placeOf(table, {}, lies))

const byWord = new Map(Object.values(kinds).map((kind) => [kind.word, kind]))

/** Where a changed object is for the policy: decides who hears of the change. */
export function placeOfChange({ kind, id, silo_id, project_id, actor }: Published): Place {
  if (silo_id === null) return { class: 'fleet' }
  const described = byWord.get(kind)
  // What one person has is shown only where that person changes it.
  const owned = described?.parent === 'silo_user' ? described.class : ofPerson(kind)
  if (owned && actor.kind === 'silo_user') return { class: owned, silo_id, owner_id: actor.silo_user_id }
  // These are rules of their own, whatever the project.
  if (described?.class === 'project') return { class: 'project', silo_id, project_id: id }
  if (described?.shownBy && !described.orProject) return { class: described.shownBy, silo_id }
  if (project_id) return { class: 'projectChild', silo_id, project_id }
  return { class: described?.shownBy ?? 'silo', silo_id }
}

const ofPerson = (kind: string) =>
  (parts as Readonly<Record<string, { ofPerson?: Place['class'] }>>)[kind]?.ofPerson
