const key = 'gantry-read-runs'
/** A little more than a server lists. */
const maxStored = 50

/** Runs whose results the user dismissed, remembered for the tab. */
export function readDismissed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function saveDismissed(ids: readonly string[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(ids.slice(-maxStored)))
  } catch {
    // Storage can be forbidden; dismissed runs then return with the next page load.
  }
}
