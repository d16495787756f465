import { backUp, lostSentence } from '../../backup/back-up.ts'
import { Problem } from '../../problem.ts'
import { inMB } from '../../backup/progress.ts'
import type { Command } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import { backupHelp, type BackupOptions, backupOptions } from './backup-options.ts'

export const backup: Command<BackupOptions> = {
  summary: 'writes everything that a server keeps into one file, also while it runs',
  help: `Usage: gantry backup FILE [options]

Writes the database, and the disks, snapshots and images, into one compressed file that must not
exist yet. The server may keep running, and has to while real machines do. Rows are of one point in
time, and bytes are read after it. Only the file's owner can read it, since password hashes and
private keys are in it.

Options:
  --data-dir FOLDER    where disks and the embedded database are kept (./data)
  --database URL       the PostgreSQL server, where the database is not the embedded one
  --passphrase-file FILE
                       encrypt the file with the passphrase in FILE
${backupHelp}`,
  ...backupOptions,
  run: ({ version }, options) =>
    untilInterrupted(async (signal) => {
      const { rows, objects, bytes, without, lost } = await backUp({ ...options, version, signal })
      const missing = without === 0 ? '' : `, ${without} without any bytes`
      process.stdout.write(
        `backed up ${rows} rows and ${inMB(bytes)} of ${objects} disks, snapshots and images${missing}: ${options.file}\n`,
      )
      // One disk lost for good must not prevent backups of all others, nor go unnoticed.
      if (lost > 0)
        throw new Problem(`${lostSentence(lost, options.dataDir)} The backup has everything else.`)
    }),
}
