import { KiB } from '../base/bytes.rules.ts'

/** Methods of requests that change something. */
export const plannedMethods = ['POST', 'PUT', 'DELETE'] as const

export const savedPlanLimits = {
  /** Days for which a plan can be committed. */
  openDays: 7,
  /** Days after that for which it can be read, and its commit names both people in activity. */
  keptDays: 30,
  /** Open ones of each user. */
  ofUser: 50,
  /** Shown in a list. */
  listed: 100,
  pathLength: 1024,
  /** Characters of the request's body, and of the plan as it was when it was saved. */
  bodyLength: 256 * KiB,
  planLength: 512 * KiB,
  noteLength: 512,
} as const

/** An open plan that no user committed in time is `expired`. */
export const savedPlanStates = ['open', 'committed', 'withdrawn', 'expired'] as const
export type SavedPlanState = (typeof savedPlanStates)[number]
