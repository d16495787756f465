import type { TaskSource } from '../../tasks/source.ts'
import { objectTasks, outcomeOf } from '../../tasks/object-work.ts'

export const snapshotTasks: TaskSource = objectTasks({
  kind: 'snapshot',
  table: 'snapshot',
  of: 'disk_id',
  told: async (_cx, works) => works.map(({ ending }) => ({ verb: 'take', ...outcomeOf(ending, ['ready']) })),
})
