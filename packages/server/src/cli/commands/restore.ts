import { inMB } from '../../backup/progress.ts'
import { restore as restoreBackup } from '../../backup/restore.ts'
import type { Command } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import { backupHelp, type BackupOptions, backupOptions } from './backup-options.ts'

export const restore: Command<BackupOptions> = {
  summary: 'puts a backup into an empty data directory and database',
  help: `Usage: gantry restore FILE [options]

Checks a file that gantry backup wrote from its first byte to its last, and puts it into an empty
data directory and an empty database: all of it, or nothing. It does not matter which kind of
database the backup is of. All users must sign in again; device tokens remain valid.

Options:
  --data-dir FOLDER    where disks and the embedded database will be kept (./data)
  --database URL       an empty database of a PostgreSQL server, instead of the embedded one
  --passphrase-file FILE
                       passphrase of an encrypted file
${backupHelp}`,
  ...backupOptions,
  run: (_, options) =>
    untilInterrupted(async (signal) => {
      const { manifest, totals } = await restoreBackup({ ...options, signal })
      const rows = Object.values(totals.rows).reduce((all, one) => all + one, 0)
      process.stdout.write(
        `restored ${rows} rows and ${inMB(totals.bytes)} of ${totals.objects} disks, snapshots and images, as of ${manifest.time}\n`,
      )
    }),
}
