import type { FailureReason } from '@gantry/api/extensions'
import type { TaskSource } from '../tasks/source.ts'
import { objectTasks, outcomeOf } from '../tasks/object-work.ts'

export const supportBundleTasks: TaskSource = objectTasks({
  kind: 'support-bundle',
  table: 'support_bundle',
  told: async (cx, works) => {
    const ids = works.flatMap(({ begun, ending }) => (ending ? [] : [begun.object_id]))
    const rows =
      ids.length === 0
        ? []
        : await cx.db
            .selectFrom('support_bundle')
            .select(['id', 'parts_done', 'parts_total'])
            .where('id', 'in', ids)
            .execute()
    return works.map(({ begun: { object_id }, ending }) => {
      const outcome = outcomeOf(ending, ['active'])
      const row = rows.find(({ id }) => id === object_id)
      return {
        verb: 'collect',
        ...outcome,
        failure:
          outcome.state === 'failed' ? failed(ending?.after?.reason_for_failure, outcome.time_ended) : null,
        progress: row
          ? { unit: 'objects', done: row.parts_done, running: 0, failed: 0, total: row.parts_total }
          : null,
        actions: ending ? [] : [{ action: 'cancel', operation: 'support_bundle_delete', target: object_id }],
      }
    })
  },
})

const failed = (reason: unknown, time: Date | null): FailureReason => ({
  code: 'collection_failed',
  message: typeof reason === 'string' ? reason : 'The bundle could not be collected.',
  next_step: 'Create another bundle.',
  details: null,
  time: (time ?? new Date(0)).toISOString(),
})
