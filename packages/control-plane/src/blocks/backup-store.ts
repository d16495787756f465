import type { StoredPlace } from '../db/tables/backups.ts'
import type { BackupStoreType } from '@gantry/api/backups/backup-target.rules'

/**
 * Keeps objects by name: those of backups. Names consist of lower-case letters, digits, hyphens and slashes. All calls
 * reject with `BackupStoreFailed`.
 */
export interface BackupStore {
  /** Writes an object, whole or not at all; one that exists is replaced. It is durable once this resolves. */
  put: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Undefined if there is none. One that is longer than `max` is refused. */
  get: (name: string, max: number) => Promise<Uint8Array<ArrayBuffer> | undefined>
  has: (name: string) => Promise<boolean>
  /** A missing object is no error. */
  remove: (name: string) => Promise<void>
  /** The names that begin so, in order, after this one; at most `backupNamesAtOnce`. Fewer only at the end. */
  list: (prefix: string, after: string | undefined) => Promise<string[]>
}

export const backupNamesAtOnce = 1000

export interface BackupStores {
  /** What they hold ends with the process, so that no user needs a key of it. */
  readonly isTemporary?: true
  /** Why there is none of a type here, as a sentence with what to do; undefined if there is. */
  whyNot: (type: BackupStoreType) => string | undefined
  /** `secret` is that of the access key. Nothing is asked before the first call. */
  open: (place: StoredPlace, secret: string, signal: AbortSignal) => BackupStore
}

/** A store that cannot be used; the message is for those who manage it. */
export class BackupStoreFailed extends Error {
  constructor(
    message: string,
    readonly help: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** In memory, for the browser and for tests: it ends with them. */
export function memoryBackupStores(): BackupStores {
  const folders = new Map<string, Map<string, Uint8Array<ArrayBuffer>>>()
  return {
    isTemporary: true,
    whyNot: (type) => (type === 's3' ? 'This server reaches no other servers. Use a folder.' : undefined),
    open(place) {
      const folder = place.type === 'folder' ? place.folder : place.bucket
      const held = folders.get(folder) ?? new Map<string, Uint8Array<ArrayBuffer>>()
      folders.set(folder, held)
      return {
        put: async (name, bytes) => void held.set(name, bytes.slice()),
        get: async (name) => held.get(name)?.slice(),
        has: async (name) => held.has(name),
        remove: async (name) => void held.delete(name),
        list: async (prefix, after = '') =>
          [...held.keys()]
            .filter((name) => name.startsWith(prefix) && name > after)
            .sort()
            .slice(0, backupNamesAtOnce),
      }
    },
  }
}
