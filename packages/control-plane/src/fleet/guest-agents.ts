import type { GuestAgentState, GuestReport } from '@gantry/api/compute/guest-agent.rules'

export type GuestAnswer =
  | { state: 'answers'; report: GuestReport }
  | { state: Exclude<GuestAgentState, 'answers'> }

/** What was wanted of a guest was not done. */
export class GuestAgentFailed extends Error {
  constructor(
    /** The agent refused it, is asked for too much at once, or could not be asked. */
    readonly why: 'refused' | 'busy' | Exclude<GuestAgentState, 'answers'>,
    /** Words of the guest, if it refused; never to be interpreted. */
    readonly said = '',
  ) {
    super(said === '' ? `guest agent: ${why}` : `guest agent: ${why} (${said})`)
  }
}

/**
 * Agents in the guests of machines. A guest is never trusted: each answer is bounded in size and time, and parsed.
 * Agents are asked for what is listed here and for nothing else.
 */
export interface GuestAgents {
  /** What the agent of a machine reports; recent answers may be repeated. */
  view: (machineId: string) => Promise<GuestAnswer>
  /** Throws `GuestAgentFailed`; likewise below. */
  setPassword: (machineId: string, user: string, password: string) => Promise<void>
  /** Adds public keys to those that may sign in as the user. */
  addSshKeys: (machineId: string, user: string, keys: readonly string[]) => Promise<void>
  /**
   * Runs work while the file systems of the guest are frozen, if its agent can do that, and tells whether they were during
   * all of it. They thaw when the work ends or fails, at the deadline, and after the end of this process.
   */
  whileFrozen: <Result>(
    machineId: string,
    work: () => Promise<Result>,
    withinMs?: number,
  ) => Promise<{ result: Result; wasFrozen: boolean }>
}

/** Default of `withinMs`: programs of a guest that write wait so long at most. */
export const frozenMsMax = 10_000
