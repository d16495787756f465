import { useEffect, useState } from 'react'

/**
 * Debounces a value, so that typing does not send a request for every letter. `first` is the value until then, for
 * requests that the page need not wait for.
 */
export function useDebounced(value: string, debounceMs: number, first = value): string {
  const [debounced, setDebounced] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value, debounceMs])
  return debounced
}
