import type { Actor, SiloUser } from '../authz/actor.ts'
import { permits } from '../authz/policy.ts'
import { placeOfChange } from './place.ts'
import type { Published } from './publisher.ts'

/** Whether a listener may learn of a change: the policy decides at each event, never what the client asked for. */
export const mayHear = (actor: Actor, event: Published): boolean =>
  actor.kind === 'silo_user' && permits(actor, 'read', placeOfChange(event))

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

/** The owner of an object that belongs to one person: only the owner's own changes are published to the owner. */
export const ownerOf = (event: Published): string | undefined => placeOfChange(event).owner_id
