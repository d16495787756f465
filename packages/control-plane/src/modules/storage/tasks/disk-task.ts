import type { TaskSource } from '../../tasks/source.ts'
import { objectTasks, outcomeOf } from '../../tasks/object-work.ts'

/** Disks being filled, which takes long for those that are copied from an image or a snapshot. */
export const diskTasks: TaskSource = objectTasks({
  kind: 'disk',
  table: 'disk',
  told: async (_cx, works) =>
    works.map(({ ending }) => ({ verb: 'create', ...outcomeOf(ending, ['detached', 'attached']) })),
})
