import { useEffect, useState } from 'react'

const deadlineMs = 3000

/** Turns true once the page is painted and the browser is idle. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const become = (): void => setIdle(true)
    if ('requestIdleCallback' in globalThis) {
      const handle = requestIdleCallback(become, { timeout: deadlineMs })
      return () => cancelIdleCallback(handle)
    }
    // Some browsers do not report when they are idle.
    const timer = setTimeout(become, 500)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
