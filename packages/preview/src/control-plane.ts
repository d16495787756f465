import type { PGlite } from '@electric-sql/pglite'
import { createControlPlane } from '@gantry/control-plane/app'
import { memoryBackupStores } from '@gantry/control-plane/blocks/backup-store'
import type { BlockStore } from '@gantry/control-plane/blocks/block-store'
import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { inProcessPglite } from '@gantry/control-plane/db/in-process-pglite'
import { type ControlPlane, type Log, noSeal } from '@gantry/control-plane/environment'
import { defaultSettings } from '@gantry/control-plane/settings'
import { origin } from './caller.ts'
import { pbkdf2Passwords } from './passwords.ts'

/** The control plane over a database in this page. */
export const openControlPlane = (database: PGlite, blocks: BlockStore = memoryBlocks()): ControlPlane =>
  createControlPlane({
    dialect: inProcessPglite(database),
    blocks,
    passwords: pbkdf2Passwords,
    seal: noSeal,
    settings: defaultSettings,
    certificates: undefined,
    dnsZone: 'localhost',
    saml: undefined,
    webauthn: undefined,
    downloads: undefined,
    webhooks: undefined,
    backupStores: memoryBackupStores(),
    imageConverter: undefined,
    diagnosis: undefined,
    samples: undefined,
    log: consoleLog,
    clock: () => new Date(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    secure: false,
    origins: [origin()],
  })

/** Successes are omitted: the console belongs to the developer of the page. */
const consoleLog: Log = {
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
