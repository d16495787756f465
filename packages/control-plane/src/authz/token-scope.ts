import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { powersFor } from '@gantry/api/people/token-operations.rules'
import { powersText, tokenPowers, type TokenScope } from '@gantry/api/people/token-scope.rules'
import { type RoleName, strongestRole } from '@gantry/api/base/roles.rules'
import { Refusal } from '../context/refusal.ts'
import type { Actor, SiloUser } from './actor.ts'
import { projectRoleOf } from './policy.ts'

/** A service account of a project has roles there only, whatever policies elsewhere say. */
export const within = (user: SiloUser, project: string | null): SiloUser =>
  project === null ? user : narrowed(user, { powers: tokenPowers, projects: [project] })

/**
 * The user as a token with this scope acts: with the roles that are left of theirs. What decides by roles needs to know
 * nothing of tokens.
 */
export function narrowed(user: SiloUser, scope: TokenScope | undefined): SiloUser {
  if (!scope) return user
  const { powers, projects } = scope
  // Who only reads needs no other role, whatever an operation might be taken for.
  const isReader = powers.every((power) => power === 'read')
  const least = (role: RoleName | undefined) => (role && isReader ? 'viewer' : role)
  const fromSilo = user.silo && projectRoleOf(user.silo)
  const within =
    projects === null
      ? user
      : {
          ...user,
          fleet: undefined,
          silo: undefined,
          project: (id: string) =>
            projects.includes(id)
              ? strongestRole([user.project(id), fromSilo].filter((role) => role !== undefined))
              : undefined,
        }
  // Some operations, such as a deletion of whatever a request names, reach the silo and the fleet, too.
  const isAdministrator = powers.includes('administer')
  const project = (id: string) => least(within.project(id))
  return {
    ...within,
    fleet: within.fleet && !isAdministrator ? 'viewer' : least(within.fleet),
    silo: within.silo === 'admin' && !isAdministrator ? least('collaborator') : least(within.silo),
    project,
    projects: (projects ?? user.projects).filter((id) => project(id)),
  }
}

/** Refuses an operation that the caller's token is not allowed. */
export function refuseBeyondScope(actor: Actor, name: OpName): void {
  if (actor.kind !== 'silo_user' || !actor.credential?.scope) return
  const { powers } = actor.credential.scope
  const op: Operation = ops[name]
  const needed = powersFor(name, op)
  if (needed?.every((power) => powers.includes(power))) return
  const missing = needed?.filter((power) => !powers.includes(power))
  throw new Refusal('Forbidden', 'this access token may not do this', {
    help: missing
      ? `It lacks: ${powersText(missing)}. Make a token that may, in the settings of the console.`
      : 'Sign in to the console with a browser and do it there.',
  })
}
