import type { InstanceBackup } from '@gantry/api/backups/instance-backup'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { type ListQuery, listPage } from '../../list/page.ts'
import { need } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import { settingsView } from '../instance-snapshots/view.ts'
import type { Backup } from './work.ts'

type Targets = ReadonlyMap<string, string>

/** The names of all targets: there are few. */
const targetNames = async ({ db }: Cx): Promise<Targets> =>
  new Map(
    (
      await db.selectFrom('backup_target').select(['id', 'name']).where('time_deleted', 'is', null).execute()
    ).map(({ id, name }) => [id, name]),
  )

function viewOf(row: Backup, targets: Targets): InstanceBackup {
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
  viewOf(row, await targetNames(cx))

export async function listBackups(
  cx: Cx,
  { instance_id, ...query }: ListQuery,
): Promise<{ items: InstanceBackup[]; next_page: string | null }> {
  const { items, next_page } = await listPage(
    cx,
    'instance_backup',
    { ...query, instance_id },
    async (at) => {
      const { row } = await need(cx, 'project', at, 'list_children')
      return {
        where: { project_id: row.id },
        ...(at['instance_id'] && { and: sql`t.instance_id = ${at['instance_id']}::uuid` }),
      }
    },
    (row) => row,
  )
  const targets = await targetNames(cx)
  return { items: items.map((row) => viewOf(row, targets)), next_page }
}
