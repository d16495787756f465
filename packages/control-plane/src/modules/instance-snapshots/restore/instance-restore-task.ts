import { sql } from 'kysely'
import type { TaskSource, Told } from '../../tasks/source.ts'
import type { Restore } from './store.ts'

/** Returns of instances to their snapshots. */
export const instanceRestoreTasks: TaskSource = {
  kind: 'instance-restore',
  open: sql`SELECT id FROM instance_restore WHERE state = 'running'`,
  with: (objectId) =>
    sql`SELECT id FROM instance_restore WHERE state = 'running' AND instance_id = ${objectId}::uuid`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db.selectFrom('instance_restore').selectAll().where('id', 'in', ids).execute()
    const restores = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const restore = restores.get(object_id)
        return restore ? [[id, toldOf(restore)]] : []
      }),
    )
  },
}

function toldOf({ instance_id, instance_name, state, failure, disks, done, time_ended }: Restore): Told {
  const running = state === 'running' && done < disks.length ? 1 : 0
  return {
    verb: 'restore',
    object: { kind: 'instance', id: instance_id, name: instance_name },
    state: state === 'done' ? 'finished' : state,
    time_ended,
    // Disks whose bytes are there; all of them are given to the instance at once.
    progress: { unit: 'objects', done, running, failed: 0, total: disks.length },
    failure,
  }
}
