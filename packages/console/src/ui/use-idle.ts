import { useEffect, useState } from 'react'

const patienceMs = 3000

/** Turns true once the page is painted and the browser has nothing else to do. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const become = (): void => setIdle(true)
    if ('requestIdleCallback' in globalThis) {
      const handle = requestIdleCallback(become, { timeout: patienceMs })
      return () => cancelIdleCallback(handle)
    }
    // Not every browser reports when it is idle.
    const timer = setTimeout(become, 500)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
