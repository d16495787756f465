/*
 * Uploads running in any tab of this browser: each holds a lock with its id. Browsers offer locks on secure
 * connections only. Elsewhere nothing is known, and two tabs that send the same bytes do no harm.
 */

const prefix = 'gantry-upload '
const locks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks

/** Keeps other tabs from resuming an upload until the promise settles. False if another tab holds the lock. */
export function holdUpload(upload: string, until: Promise<unknown>): Promise<boolean> {
  const manager = locks()
  if (!manager) return Promise.resolve(true)
  return new Promise((resolve) => {
    void manager.request(prefix + upload, { ifAvailable: true }, (lock) => {
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
