import type { TaskSource } from '../../tasks/source.ts'
import { objectTasks, outcomeOf } from '../../tasks/object-work.ts'

const filled = ['detached', 'attached']

/**
 * Disks being filled: copied from an image or a snapshot, or with blocks that a client sends. And those that a running
 * instance gets or is to release.
 */
export const diskTasks: TaskSource = objectTasks({
  kind: 'disk',
  table: 'disk',
  told: async (_cx, works) =>
    works.map(({ begun, ending }) => {
      switch (begun.after?.state) {
        case 'creating':
          return { verb: 'create', ...outcomeOf(ending, filled) }
        case 'attaching':
          return { verb: 'attach', ...outcomeOf(ending, ['attached']) }
        case 'detaching':
          return { verb: 'detach', ...outcomeOf(ending, ['detached']) }
        default:
          // An import can be interrupted and continued, each time as a task.
          return { verb: 'import', ...outcomeOf(ending, [...filled, 'import_ready']) }
      }
    }),
})
