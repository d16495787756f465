const key = 'gantry-read-runs'
/** As many as a server lists, and some more. */
const kept = 50

/** Runs whose results somebody has read and put away, remembered for the tab. */
export function readDismissed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function keepDismissed(ids: readonly string[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(ids.slice(-kept)))
  } catch {
    // Storage can be forbidden; what was put away then comes back with the next page.
  }
}
