import { useSyncExternalStore } from 'react'

const everySecond = (listener: () => void): (() => void) => {
  const clock = setInterval(listener, 1000)
  return () => clearInterval(clock)
}

/** The time, to the second: what waits ends without anything else changing. */
export function useSecond(): Date {
  const second = useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000))
  return new Date(second * 1000)
}
