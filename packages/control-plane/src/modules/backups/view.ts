import type { BackupPlaces, InstanceBackup } from '@gantry/api/backups/instance-backup'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'
import { settingsView } from '../instance-snapshots/view.ts'
import type { Backup } from './work.ts'

/** All targets: there are few. */
const liveTargets = ({ db }: Cx) =>
  db
    .selectFrom('backup_target')
    .select(['id', 'name', 'is_default'])
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()

/** What the rows of backups lack. */
interface Beside {
  targets: ReadonlyMap<string, string>
  done: ReadonlyMap<string, number>
}

async function besideOf(cx: Cx, rows: readonly Backup[]): Promise<Beside> {
  const busy = rows.flatMap(({ id, state }) => (state === 'creating' || state === 'verifying' ? [id] : []))
  const works =
    busy.length === 0
      ? []
      : await cx.db
          .selectFrom('backup_work')
          .select(['instance_backup_id', 'done'])
          .where('instance_backup_id', 'in', busy)
          .execute()
  return {
    targets: new Map((await liveTargets(cx)).map(({ id, name }) => [id, name])),
    done: new Map(works.map(({ instance_backup_id, done }) => [instance_backup_id, done])),
  }
}

function viewOf(row: Backup, { targets, done }: Beside): InstanceBackup {
  const { project_id, instance_id, instance_name, backup_target_id, state, failure, consistency } = row
  return resourceView<InstanceBackup>(row, {
    project_id,
    instance_id,
    instance_name,
    backup_target_id,
    backup_target_name: targets.get(backup_target_id) ?? '',
    state,
    failure,
    consistency,
    size: row.size,
    done: done.get(row.id) ?? null,
    stored: row.stored,
    time_verified: row.time_verified?.toISOString() ?? null,
    disks: row.disks.map(({ disk_id, name, size, is_boot, read_only }) => ({
      disk_id,
      name,
      size,
      is_boot,
      read_only,
    })),
    settings: settingsView(row),
  })
}

export const backupView = async (cx: Cx, row: Backup): Promise<InstanceBackup> =>
  viewOf(row, await besideOf(cx, [row]))

export async function listBackups(
  cx: Cx,
  { query }: Input<'instanceBackupList'>,
): Promise<{ items: InstanceBackup[]; next_page: string | null }> {
  const { items, next_page } = await filteredPage<'instance_backup', typeof query, Backup>(
    cx,
    ops.instanceBackupList,
    'instance-backup',
    query,
    (row) => row,
    ({ instance_id }) => (instance_id ? [sql`t.instance_id = ${instance_id}::uuid`] : []),
  )
  const beside = await besideOf(cx, items)
  return { items: items.map((row) => viewOf(row, beside)), next_page }
}

/** Users learn the names of the places, and nothing else of them. */
export async function listPlaces(cx: Cx, at: Selectors): Promise<BackupPlaces> {
  await need(cx, 'project', at, 'list_children')
  return { items: await liveTargets(cx) }
}
