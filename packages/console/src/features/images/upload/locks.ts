/*
 * Which uploads run in some tab of this browser: whoever runs one holds a lock of its name. Browsers have locks on
 * secure connections only; without, nothing is known, and two tabs that send the same bytes do no harm.
 */

const prefix = 'gantry-upload '
const locks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks

/** Keeps other tabs from going on with an upload for so long; false where another one keeps this tab from it. */
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

/** Those that run in this tab or another. */
export async function uploadsInTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks()?.query()) ?? {}
  return new Set(held.map(({ name = '' }) => name.replace(prefix, '')))
}
