import { kindNoun } from '../kind-noun.rules.ts'

/** Newest first. */
export const taskSorts = ['time_and_id_descending', 'time_and_id_ascending'] as const

/**
 * `needs_attention` waits for a user. `finished`, `failed` and `cancelled` have ended; one that ended with some of its
 * objects failed has failed.
 */
export const taskStates = ['running', 'needs_attention', 'finished', 'failed', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

export const isOpenTask = (state: TaskState): boolean => state === 'running' || state === 'needs_attention'

/** Days to keep a task after it has ended. */
export const taskKeptDays = 30
/** The maximum page of tasks, whatever the requested limit: each is read with its progress. */
export const taskPage = 100
/** Failed objects that a task names at most. */
export const taskFailuresMax = 1000

/** What is done to an object: in progress, done, and as asked for. */
export const taskWords = {
  create: { running: 'Creating', done: 'Created', asked: 'create' },
  start: { running: 'Starting', done: 'Started', asked: 'start' },
  restart: { running: 'Restarting', done: 'Restarted', asked: 'restart' },
  stop: { running: 'Stopping', done: 'Stopped', asked: 'stop' },
  reboot: { running: 'Rebooting', done: 'Rebooted', asked: 'reboot' },
  restore: { running: 'Restoring', done: 'Restored', asked: 'restore' },
  delete: { running: 'Deleting', done: 'Deleted', asked: 'delete' },
  attach: { running: 'Attaching', done: 'Attached', asked: 'attach' },
  detach: { running: 'Detaching', done: 'Detached', asked: 'detach' },
  move: { running: 'Moving', done: 'Moved', asked: 'move' },
  take: { running: 'Taking', done: 'Took', asked: 'take' },
  verify: { running: 'Verifying', done: 'Verified', asked: 'verify' },
  import: { running: 'Importing', done: 'Imported', asked: 'import' },
  upload: { running: 'Uploading', done: 'Uploaded', asked: 'upload' },
  collect: { running: 'Collecting', done: 'Collected', asked: 'collect' },
  drain: { running: 'Draining', done: 'Drained', asked: 'drain' },
  remove: { running: 'Removing', done: 'Removed', asked: 'remove' },
  update: { running: 'Updating', done: 'Updated', asked: 'update' },
  run: { running: 'Running', done: 'Ran', asked: 'run' },
  tag: { running: 'Editing tags of', done: 'Edited tags of', asked: 'edit tags of' },
  change: { running: 'Trying a change of', done: 'Changed', asked: 'change' },
} as const satisfies Record<string, { running: string; done: string; asked: string }>
export type TaskVerb = keyof typeof taskWords
export const taskVerbs = Object.keys(taskWords) as [TaskVerb, ...TaskVerb[]]

export const taskActions = ['cancel', 'retry', 'confirm'] as const
export type TaskAction = (typeof taskActions)[number]

/** What progress counts. */
export const taskUnits = ['objects', 'bytes', 'percent'] as const

/** What a sentence tells of a task. */
export interface ToldTask {
  verb: TaskVerb
  state: TaskState
  count: number
  object: { kind: string; name: string | null }
  progress: { done: number } | null
}

/** The beginning of a sentence about a task: `Stopping`, `Stopped`, `Could not stop`, `Stopped 2 of`. */
export function taskBeginning({ verb, state, count, progress }: Omit<ToldTask, 'object'>): string {
  const { running, done, asked } = taskWords[verb]
  if (isOpenTask(state)) return running
  if (state === 'finished') return done
  if (verb === 'restore' && state === 'failed' && (progress?.done ?? 0) > 0) return 'Restored in part:'
  const reached = count > 1 ? (progress?.done ?? 0) : 0
  if (reached > 0) return `${done} ${reached.toLocaleString('en-US')} of`
  return state === 'failed' ? `Could not ${asked}` : `Cancelled: ${asked}`
}

/** What it is about: `300 instances`, or `disk` before its name. */
export function taskNoun({ count, object: { kind } }: Pick<ToldTask, 'count' | 'object'>): string {
  const noun = kindNoun(kind)
  return count === 1 ? noun : `${count.toLocaleString('en-US')} ${noun}s`
}

/** The whole sentence, as announcements have it. */
export const taskSentence = (task: ToldTask): string =>
  [taskBeginning(task), taskNoun(task), task.count === 1 ? task.object.name : null].filter(Boolean).join(' ')
