/** The record of an upload that this browser began, to recognise its file. */
export interface UploadRecord {
  fileName: string
  fingerprint: string
}

const prefix = 'gantry-upload '

const keyOf = (upload: string): string => prefix + upload

export const uploadRecords = {
  read(upload: string): UploadRecord | undefined {
    try {
      return parse(JSON.parse(localStorage.getItem(keyOf(upload)) ?? 'null'))
    } catch {
      return undefined
    }
  },
  write(upload: string, { fileName, fingerprint }: UploadRecord): void {
    try {
      localStorage.setItem(keyOf(upload), JSON.stringify({ fileName, fingerprint }))
    } catch {
      // Storage can be full or forbidden. The upload still runs, but cannot be resumed after a reload.
    }
  },
  forget: (upload: string): void => localStorage.removeItem(keyOf(upload)),
}

function parse(value: unknown): UploadRecord | undefined {
  const { fileName, fingerprint } = (value ?? {}) as Partial<Record<keyof UploadRecord, unknown>>
  return typeof fileName === 'string' && typeof fingerprint === 'string'
    ? { fileName, fingerprint }
    : undefined
}

/*
 * Uploads running in any tab of this browser: each holds a lock with its id. Browsers offer locks on secure
 * connections only. Elsewhere nothing is known, and two tabs that send the same bytes do no harm.
 */

const locks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks

/** Keeps other tabs from resuming an upload until the promise settles. False if another tab holds the lock. */
export function holdUpload(upload: string, until: Promise<unknown>): Promise<boolean> {
  const manager = locks()
  if (!manager) return Promise.resolve(true)
  return new Promise((resolve) => {
    void manager.request(keyOf(upload), { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock ? until : undefined
    })
  })
}

/** Uploads running in this tab or another. */
export async function uploadsInTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks()?.query()) ?? {}
  return new Set(held.map(({ name = '' }) => name.replace(prefix, '')))
}
