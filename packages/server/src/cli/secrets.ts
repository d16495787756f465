import fs from 'node:fs'
import { parseKeys, type SealKey } from '../seal/seal-keys.ts'
import { type Env, Mistake } from './values.ts'

/** Shorter ones can be guessed offline. */
const PASSPHRASE_LENGTH = 12

/**
 * The passphrase of a backup, from a file or from the environment; never from an option, which other users
 * can see.
 */
export function passphraseOf(file: string | undefined, env: Env): string | undefined {
  const passphrase =
    file === undefined ? env['GANTRY_BACKUP_PASSPHRASE'] : readSecret('--passphrase-file', file)
  if (passphrase === undefined || (passphrase === '' && file === undefined)) return undefined
  if (passphrase.length >= PASSPHRASE_LENGTH) return passphrase
  throw new Mistake(`The passphrase is too short: it needs at least ${PASSPHRASE_LENGTH} characters.`)
}

/** The sealing keys, from a file or from the environment; empty if neither is given. */
export function keysOf(file: string | undefined, env: Env): SealKey[] {
  if (file !== undefined) return parseKeys(file, readSecret('--key-file', file))
  return env['GANTRY_KEY'] ? parseKeys('GANTRY_KEY', env['GANTRY_KEY']) : []
}

/** Reads a file without its final line break, which editors add. */
function readSecret(flag: string, file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Mistake(`${flag}: ${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, {
      cause,
    })
  }
}
