import path from 'node:path'
import type { BackupStores } from '@gantry/control-plane/blocks/backup-store'
import type { Settings } from '@gantry/control-plane/settings'
import { folderStore } from './folder-store.ts'
import { s3Store } from './s3-store.ts'

/** Folders below the one that the settings name, and buckets. */
export function hostBackupStores({ backups, egress }: Pick<Settings, 'backups' | 'egress'>): BackupStores {
  return {
    whyNot: (type) =>
      type === 'folder' && backups.folder === undefined
        ? 'This server has no folder for backups. Name one by the setting backups.folder, or use a bucket.'
        : undefined,
    open: (place, secret, signal) =>
      place.type === 'folder'
        ? folderStore(path.join(backups.folder ?? '', place.folder), signal)
        : s3Store(place, secret, { egress, signal }),
  }
}
