import { z } from 'zod'
import { FailureReason } from '../extensions.ts'
import { family, get } from '../op.ts'
import { flag, maybe, named, NameOrId, pageOf, paging, Timestamp, Uuid } from '../schema.ts'
import { TimeAndIdSortMode } from '../system/audit.ts'
import { taskActions, taskSorts, taskStates, taskUnits, taskVerbs } from './task.rules.ts'
import { taskFilters, taskKinds, taskObjectKinds } from './task-kinds.rules.ts'

const Place = z.object({ id: Uuid, name: z.string() }).nullable()

const shape = {
  id: Uuid,
  /** The kind of work, such as `instance-action` or `image-upload`. */
  kind: z.string(),
  verb: named('TaskVerb', z.enum(taskVerbs)),
  /** One of them, if it is about several. */
  object: z.object({ kind: z.string(), id: Uuid.nullable(), name: z.string().nullable() }),
  /** How many objects it is about. */
  count: z.number().int(),
  project: Place,
  silo: Place,
  state: named('TaskState', z.enum(taskStates)),
  time_began: Timestamp,
  /** Null while it is open. */
  time_ended: Timestamp.nullable(),
  /** Who began it: `platform` is the control plane itself. The name of an operator of another silo is null. */
  by: z.object({ kind: z.enum(['user', 'platform']), id: Uuid.nullable(), name: z.string().nullable() }),
  is_mine: z.boolean(),
  /** Counts of what is done, of what is in progress and of what failed; null where it is not known. */
  progress: z
    .object({
      unit: z.enum(taskUnits),
      done: z.number().int(),
      running: z.number().int(),
      failed: z.number().int(),
      total: z.number().int(),
    })
    .nullable(),
  /** Where it is, of work with several steps. */
  step: z.object({ number: z.number().int(), of: z.number().int(), label: z.string() }).nullable(),
  failure: FailureReason.nullable(),
  /** What can be done about it now, with the operation that does it and the id in that operation's path. */
  actions: z.array(
    z.object({ action: named('TaskAction', z.enum(taskActions)), operation: z.string(), target: z.string() }),
  ),
}
export const Task = named('Task', z.object(shape))
export type Task = z.infer<typeof Task>

export const TaskDetail = named(
  'TaskDetail',
  z.object({
    ...shape,
    /** The objects that failed, of work on several. */
    failures: z.array(
      z.object({
        id: Uuid.nullable(),
        name: z.string().nullable(),
        message: z.string(),
        next_step: z.string(),
      }),
    ),
  }),
)
export type TaskDetail = z.infer<typeof TaskDetail>

/** Kinds whose changes begin, advance or end tasks; `task` is news for the user who began one. */
const kinds = [
  'task',
  'deletion',
  'disk',
  'image-upload',
  'instance',
  'instance-action',
  'instance-backup',
  'instance-backup-restore',
  'instance-restore',
  'instance-snapshot',
  'restoration',
  'snapshot',
] as const
const systemKinds = [
  'deletion',
  'network-trial',
  'sled',
  'sled-drain',
  'support-bundle',
  'system-update',
  'target-release',
  'update-upload',
] as const

/** A page token also carries the filters. */
export const taskTokenMax = 4096
const filters = {
  ...paging(taskTokenMax),
  sort_by: maybe(TimeAndIdSortMode),
  state: maybe(named('TaskFilter', z.enum(taskFilters))),
  kind: maybe(named('TaskKind', z.enum(taskKinds))),
}
const page = { sorts: taskSorts, returns: pageOf('Task', Task) }

export const taskOps = family('extensions', [], {
  taskList: get('/ext/v1/tasks', {
    summary: "List work that takes time: yours, or everybody's in a project or in your silo",
    query: z.object({
      ...filters,
      /** Only what the caller began, anywhere. */
      mine: maybe(flag),
      project: maybe(NameOrId),
      /** Only pending work in which this object takes part, alone or as one of many; with its kind and `state=open`. */
      object: maybe(NameOrId),
      object_kind: maybe(named('TaskObjectKind', z.enum(taskObjectKinds))),
    }),
    ...page,
    reads: kinds,
  }),
  systemTaskList: get('/ext/v1/system/tasks', {
    summary: 'List work on the fleet that takes time',
    query: z.object(filters),
    ...page,
    reads: systemKinds,
  }),
  taskView: get('/ext/v1/tasks/{task_id}', {
    summary: 'Fetch a task with the objects that failed',
    path: z.object({ task_id: Uuid }),
    returns: TaskDetail,
  }),
})
