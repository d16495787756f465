import type { Action } from '@gantry/api/extensions.rules'
import type { ResourceClass } from '../authz/policy.ts'
import type { Person, PolicyScene } from './policy-scene.ts'

/** A well-formed request; what it names need not exist. */
export interface Sent {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: Record<string, string>
}

/**
 * How an operation is tested, beside the module that implements it: `requests.test.ts` sends it wrongly in
 * every way, `authz/matrix.test.ts` as every role.
 */
export interface OperationCase {
  sent: Sent
  rule: Rule
  /** A request that would succeed if allowed, or fail by a rule that is checked later. */
  allowed: (scene: PolicyScene & { who: Person }) => Promise<Request> | Request
  /** The response of an open operation to anonymous callers, unless it succeeds. */
  anonymously?: readonly [status: number, message: string]
  /** A view by name or id: the messages when the parents do not fit (control plane reference, A 3). */
  addressed?: readonly [
    key: string,
    type: string,
    parents: readonly string[],
    both?: string | undefined,
    alone?: string,
  ]
  /** It fails after authorisation because what it names does not exist. */
  missing?: true
  /** It needs a pending sign-in, which no caller has here; `modules/sign-in/factors` tests it. */
  afterPassword?: true
}
type Request = readonly [path: string, body?: object]

/** One case per operation of a resource: an operation without one does not compile. */
export type CasesOf<Ops> = Readonly<Record<keyof Ops, OperationCase>>

/** Where a test wants one of a kind: the query that names the project, the name for it, and the ids of others. */
export interface Place {
  at: string
  the: { name: string; description: string }
  idOf: (selector: string) => Promise<string>
  /** Creates something that has no selector of its own, and returns its id. */
  make: (path: string, body: object) => Promise<string>
}

/**
 * How one of each kind that a project holds is created, by the kind's selector. Tests that need one of everything
 * create them all.
 */
export type Given = Readonly<Record<string, (place: Place) => Promise<Request> | Request>>

/** The permission that an operation requires, and its answer to callers who lack it. */
export type Rule =
  | 'anybody'
  | 'member'
  /**
   * `seenAs` is set when the object is visible to others than its class says. `of` refers to the caller's own
   * silo or the fleet, unless `in` names another place, where all the test objects are. `atStake`: users of
   * that silo hold fleet roles, and the operation takes that into account.
   */
  | {
      needs: Action
      of: ResourceClass
      hidden: boolean
      in?: 'demo' | 'named silo'
      seenAs?: ResourceClass
      atStake?: true
    }

export const on = (needs: Action, of: ResourceClass): Rule => ({ needs, of, hidden: true, in: 'demo' })
/** An operation that names a silo, and so is open to users of other silos who may read it. */
export const inNamedSilo = (needs: Action): Rule => ({ needs, of: 'silo', hidden: true, in: 'named silo' })
/** An object in a named silo, visible to callers who may read that silo. */
export const withinNamedSilo = (needs: Action, of: ResourceClass): Rule => ({
  needs,
  of,
  hidden: true,
  in: 'named silo',
  seenAs: 'silo',
})
/** Fleet objects, visible only to callers who may read the fleet. */
export const onFleet = (needs: Action): Rule => ({ needs, of: 'fleet', hidden: true })
export const ofUser = (needs: Action): Rule => ({
  needs,
  of: 'userCredentials',
  hidden: true,
  in: 'demo',
  seenAs: 'siloUser',
})
/** The existence of the fleet, silos and lists is no secret (A 6.3). */
export const openly = (needs: Action, of: ResourceClass): Rule => ({ needs, of, hidden: false })
export const readChild = on('read', 'projectChild')
export const listChild = on('list_children', 'projectChild')
export const modifyChild = on('modify', 'projectChild')
export const createInChild = on('create_child', 'projectChild')
export const modifyNetwork = on('modify', 'projectNetwork')
export const createInNetwork = on('create_child', 'projectNetwork')
export const listProject = on('list_children', 'project')
export const createInProject = on('create_child', 'project')
