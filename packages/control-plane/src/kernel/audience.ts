import type { Actor, SiloUser } from '../authz/actor.ts'
import { permits, type Place, type ResourceClass } from '../authz/policy.ts'
import type { Published } from './publisher.ts'

/** Whether a listener may learn of a change: the policy decides at each event, never what the client asked for. */
export const mayHear = (actor: Actor, event: Published): boolean =>
  actor.kind === 'silo_user' && permits(actor, 'read', placeOf(event))

/** Kinds whose changes can give other roles to everybody in the silo, or take them. */
const rolesOfMany: ReadonlySet<string> = new Set(['policy', 'silo-group', 'silo'])
/** Kinds whose changes can do so to one person; the event names the person or the credential. */
const rolesOfOne: ReadonlySet<string> = new Set(['silo-user', 'console-session', 'device-access-token'])

export const concernsRolesOfMany = ({ kind }: Published): boolean => rolesOfMany.has(kind)

/** Whether a change names the listener or what let the listener in. */
export const isAbout = ({ user_id, credential }: SiloUser, { kind, id }: Published): boolean =>
  rolesOfOne.has(kind) && (id === user_id || id === credential?.id)

/** Whether the listener may hold other roles after this change, or none. */
export const altersRolesOf = (actor: SiloUser, event: Published): boolean =>
  isAbout(actor, event) ||
  (concernsRolesOfMany(event) && (event.silo_id === null || event.silo_id === actor.silo_id))

const ownedKinds: Readonly<Record<string, ResourceClass>> = {
  'ssh-key': 'sshKey',
  'console-session': 'userCredentials',
  'device-access-token': 'userCredentials',
  'second-factor': 'userCredentials',
}

/** The owner of an object that belongs to one person: only the owner's own changes are published to the owner. */
export function ownerOf({ kind, actor }: Published): string | undefined {
  return ownedKinds[kind] && actor.kind === 'silo_user' ? actor.silo_user_id : undefined
}

/** Where a changed object stands for the policy. */
function placeOf(event: Published): Place {
  if (event.silo_id === null) return { class: 'fleet' }
  const { silo_id, project_id, kind } = event
  const owned = ownedKinds[kind]
  const owner_id = ownerOf(event)
  if (owned && owner_id !== undefined) return { class: owned, silo_id, owner_id }
  if (kind === 'saml-identity-provider') return { class: 'identityProvider', silo_id }
  if (kind === 'certificate') return { class: 'certificate', silo_id }
  if (kind === 'project') return { class: 'project', silo_id, project_id: event.id }
  if (project_id) return { class: 'projectChild', silo_id, project_id }
  return { class: kind === 'image' ? 'siloImage' : 'silo', silo_id }
}
