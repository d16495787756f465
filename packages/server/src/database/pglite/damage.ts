import { isFull } from '../../space/full-volume.ts'
import type { WorkerClient } from './worker-client.ts'

/** PostgreSQL messages that name no file, and the file they refer to. */
const places: readonly [RegExp, string][] = [
  [/control file|pg_control/i, 'global/pg_control, where it keeps its own state'],
  [/checkpoint record|invalid record|pg_wal|\bWAL\b/i, 'pg_wal, its write-ahead log'],
  [/status of transaction/i, 'pg_xact, where it keeps what was committed'],
]

/**
 * Why the embedded database of a directory cannot be used, and what to do. A full volume has its own message.
 */
export function explainDamage(directory: string, error: Error): Error {
  if (isFull(error)) return error
  const reason = error.message.replace(/^the embedded database has stopped: /, '').replace(/\.$/, '')
  return new DamagedDatabase(directory, reason, { cause: error })
}

class DamagedDatabase extends Error {
  constructor(directory: string, reason: string, options?: ErrorOptions) {
    const place = places.find(([words]) => words.test(reason))?.[1]
    super(
      `The embedded database in ${directory} is damaged${place ? ` in ${place}` : ''}: ${reason}. Bytes of disks, images ` +
        'and snapshots lie apart from it and are whole. Restore a backup into a new data directory with ' +
        'gantry restore FILE --data-dir FOLDER; this one was not changed.',
      options,
    )
  }
}

/**
 * Tables and indexes whose file is empty or missing although they had pages: PostgreSQL takes an empty file
 * for a table without rows, and would not complain. An index is never empty.
 */
const emptied = `
  select format('%s (%s)', relname, coalesce(pg_relation_filepath(oid), 'no file')) as name
  from pg_class
  where relpersistence = 'p' and relkind in ('r', 'i', 't') and pg_relation_size(oid) = 0
    and (relpages > 0 or relkind = 'i')
  limit 1`

export async function needFiles(directory: string, worker: WorkerClient): Promise<void> {
  const { rows } = await worker.query(emptied, [])
  const [first] = rows
  if (first) throw new DamagedDatabase(directory, `the file of ${String(first['name'])} is empty or missing`)
}
