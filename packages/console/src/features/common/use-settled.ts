import { useEffect, useState } from 'react'

/**
 * The value once it has stayed the same for a moment, so that not every letter asks the server. `first` stands in until
 * then, for what need not be asked before the page is there.
 */
export function useSettled(value: string, settleMs: number, first = value): string {
  const [settled, setSettled] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value, settleMs])
  return settled
}
