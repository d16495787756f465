import type { Task, TaskDetail } from '@gantry/api/history/task'
import type { RawBuilder } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'

/** The change that began a task. */
export type Begun = Pick<
  Row<'change'>,
  | 'id'
  | 'kind'
  | 'object_id'
  | 'name'
  | 'silo_id'
  | 'project_id'
  | 'actor'
  | 'operation'
  | 'time'
  | 'generation'
  | 'before'
  | 'after'
> & { task: string }

/** What a source knows of a task. */
export type Told = Pick<Task, 'verb' | 'state'> &
  Partial<Pick<Task, 'object' | 'count' | 'progress' | 'step' | 'failure' | 'actions'>> & {
    time_ended?: Date | null
  }

/**
 * The tasks of one kind of work, read from where the work is kept. `npm run generate` finds every
 * `TaskSource` of a file `*-task.ts`;
 * `change/task.ts` says which change records begin one.
 */
export interface TaskSource {
  /** As `change/task.ts` calls it. */
  kind: string
  /** Selects `id`, of all objects with pending work: few of them, by index. */
  open: RawBuilder<unknown>
  /**
   * Selects `id`, of the pending work in which an object takes part, by index; without it, an object takes part in
   * its own only.
   */
  with?: (objectId: string) => RawBuilder<unknown>
  /** By the id of the change. One that is missing is no longer known, and is not told of. */
  read: (cx: Cx, begun: readonly Begun[]) => Promise<Map<string, Told>>
  /** The objects that failed, of work on several. */
  failures?: (cx: Cx, begun: Begun) => Promise<TaskDetail['failures']>
}
