import type { TaskSource } from '../../tasks/source.ts'
import { objectTasks, outcomeOf } from '../../tasks/object-work.ts'

const filled = ['detached', 'attached']

/** Disks being filled: copied from an image or a snapshot, or with blocks that a client sends. */
export const diskTasks: TaskSource = objectTasks({
  kind: 'disk',
  table: 'disk',
  told: async (_cx, works) =>
    works.map(({ begun, ending }) =>
      begun.after?.state === 'creating'
        ? { verb: 'create', ...outcomeOf(ending, filled) }
        : // An import can be interrupted and continued, each time as a task.
          { verb: 'import', ...outcomeOf(ending, [...filled, 'import_ready']) },
    ),
})
