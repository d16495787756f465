import { type Command, commonHelp } from '../command.ts'
import { passphraseOf } from '../secrets.ts'
import { databaseOf, dataDirOf } from '../values.ts'

/** A backup's file, and the location of a server's data. */
export interface BackupOptions {
  file: string
  dataDir: string
  database: string | undefined
  passphrase: string | undefined
}

/** The last lines of both help texts. */
export const backupHelp = `${commonHelp}
Environment:
  GANTRY_DATA_DIR, GANTRY_DATABASE
                       the same as the options, which take precedence
  GANTRY_BACKUP_PASSPHRASE
                       the passphrase itself, where no file is named
`

/** The options that backup and restore share. */
export const backupOptions: Pick<Command<BackupOptions>, 'flags' | 'operand' | 'read'> = {
  flags: {
    'data-dir': { type: 'string' },
    database: { type: 'string' },
    'passphrase-file': { type: 'string' },
  },
  operand: 'FILE',
  read: ({ text }, env, file) => ({
    file,
    dataDir: dataDirOf(text('data-dir'), env),
    database: databaseOf(text('database') ?? env['GANTRY_DATABASE']),
    passphrase: passphraseOf(text('passphrase-file'), env),
  }),
}
