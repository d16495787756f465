// @chunk backup-rows: of the backups of a project and of an instance, which few open.
import { instanceBackupAllows } from '@gantry/api/backups/instance-backup.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { Backup } from './queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkBackups = (whyNotAllowed: string | undefined): Bulk<Backup> => ({
  kind: 'instance-backup',
  noun: 'backup',
  whyNotAllowed,
  whyNotDelete: ({ state }) => whyNot(instanceBackupAllows, 'delete', state),
  gone: 'What only they hold is deleted from their targets, and cannot be restored.',
  besides: 'Backups that are being created are cancelled. Other backups stay whole.',
})
