import type { Actor, SiloUser } from '../authz/actor.ts'
import { permits } from '../authz/policy.ts'
import { locationOfChange } from './location.ts'
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

/**
 * The owner of an object that belongs to one user: only changes made by the owner are published, and only to
 * the owner.
 */
export const ownerOf = (event: Published): string | undefined => locationOfChange(event).owner_id
