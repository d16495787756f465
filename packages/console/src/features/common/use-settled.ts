import { useEffect, useState } from 'react'

/** The value once it has stayed the same for a moment, so that not every letter asks the server. */
export function useSettled(value: string, settleMs: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value, settleMs])
  return settled
}
