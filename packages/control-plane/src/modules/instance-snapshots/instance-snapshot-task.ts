import { objectTasks, outcomeOf } from '../tasks/object-work.ts'
import type { TaskSource } from '../tasks/source.ts'

export const instanceSnapshotTasks: TaskSource = objectTasks({
  kind: 'instance-snapshot',
  table: 'instance_snapshot',
  of: 'instance_id',
  told: async (_cx, works) => works.map(({ ending }) => ({ verb: 'take', ...outcomeOf(ending, ['ready']) })),
})
