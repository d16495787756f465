import { useEffect, useState } from 'react'

/**
 * Debounces a value, so that typing does not send a request for every letter. `first` is the value until then, for
 * requests that the page need not wait for.
 */
export function useSettled(value: string, settleMs: number, first = value): string {
  const [settled, setSettled] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value, settleMs])
  return settled
}
