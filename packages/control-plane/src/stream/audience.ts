import { type Actor, fleetId, type SiloUser } from '../authz/actor.ts'
import { permits, type ResourceLocation } from '../authz/policy.ts'
import { locationOfChange } from '../lookup/location.ts'
import type { Published } from './publisher.ts'

/**
 * Whether a listener may see a change. The policy is evaluated for each event, whatever the client asked for.
 */
export const mayHear = (actor: Actor, event: Published): boolean =>
  actor.kind === 'silo_user' && permits(actor, 'read', locationOfChange(event))

/** Kinds whose changes can alter the roles of everyone in the silo. */
const rolesOfMany: ReadonlySet<string> = new Set(['policy', 'silo-group', 'silo'])
/** Kinds whose changes can alter one user's roles; the event names the user or the credential. */
const rolesOfOne: ReadonlySet<string> = new Set(['silo-user', 'console-session', 'device-access-token'])

export const concernsRolesOfMany = ({ kind }: Published): boolean => rolesOfMany.has(kind)

/** Whether a change is about the listener or the listener's credential. */
export const isAbout = ({ user_id, credential }: SiloUser, { kind, id }: Published): boolean =>
  rolesOfOne.has(kind) && (id === user_id || id === credential?.id)

/** Whether the listener's roles may differ after this change. */
export const altersRolesOf = (actor: SiloUser, event: Published): boolean =>
  isAbout(actor, event) ||
  (concernsRolesOfMany(event) && (event.silo_id === null || event.silo_id === actor.silo_id))

/** Ids of what the listener could see with earlier roles and no longer can: the fleet, and projects of the silo. */
export function lostSight(before: SiloUser, now: SiloUser): string[] {
  const fleet: ResourceLocation = { class: 'fleet' }
  // Every role on a project shows it. Looking up the role of each would be quadratic.
  const held = new Set(now.projects)
  const projects = before.projects.filter(
    (project_id) =>
      !held.has(project_id) && !permits(now, 'read', { class: 'project', silo_id: now.silo_id, project_id }),
  )
  return permits(before, 'read', fleet) && !permits(now, 'read', fleet) ? [fleetId, ...projects] : projects
}

/**
 * The owner of an object that belongs to one user: only changes made by the owner are published, and only to
 * the owner.
 */
export const ownerOf = (event: Published): string | undefined => locationOfChange(event).owner_id
