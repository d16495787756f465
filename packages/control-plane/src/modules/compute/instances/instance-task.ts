import type { TaskVerb } from '@gantry/api/history/task.rules'
import type { TaskSource } from '@gantry/control-plane/modules/tasks/source'
import { objectTasks, outcomeOf } from '@gantry/control-plane/modules/tasks/object-work'
import { stateIn } from '@gantry/control-plane/change/task'

const verbs: Readonly<Record<string, TaskVerb>> = {
  instance_create: 'create',
  'reconcile:auto-restart': 'restart',
  instance_force_off: 'stop',
}
const byState: Readonly<Record<string, TaskVerb>> = {
  stopping: 'stop',
  rebooting: 'reboot',
  migrating: 'move',
  creating: 'create',
}

/** Instances that start, stop, reboot or move, each on its own; many at once are one task of `bulk`. */
export const instanceTasks: TaskSource = objectTasks({
  kind: 'instance',
  table: 'instance',
  told: async (_cx, works) =>
    works.map(({ begun: { operation, after, object_id }, ending }) => {
      const verb = verbs[operation] ?? byState[String(stateIn(after))] ?? 'start'
      const outcome = outcomeOf(ending, [verb === 'stop' ? 'stopped' : 'running'])
      const retries = outcome.state === 'failed' && verb !== 'stop'
      return {
        verb,
        ...outcome,
        actions: retries ? [{ action: 'retry', operation: 'instance_start', target: object_id }] : [],
      }
    }),
})
