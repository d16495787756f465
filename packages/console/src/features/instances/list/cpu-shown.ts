import { useSyncExternalStore } from 'react'

const key = 'gantry-instances-cpu-use'
const listeners = new Set<() => void>()
/** Where storage is forbidden, the choice lasts until the page closes. */
let chosen: boolean | undefined

function isShown(): boolean {
  try {
    return chosen ?? localStorage.getItem(key) === 'shown'
  } catch {
    return false
  }
}

export function showCpuUse(wanted: boolean): void {
  chosen = wanted
  try {
    if (wanted) localStorage.setItem(key, 'shown')
    else localStorage.removeItem(key)
  } catch {
    // As said above.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether this browser's lists of instances show the column of CPU use. */
export const useIsCpuShown = (): boolean => useSyncExternalStore(subscribe, isShown)
