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

const never = () => (): void => undefined

/** Whole seconds until a moment, counted down; 0 once it is over, and where there is none. */
export const useSecondsUntil = (moment: Date | undefined): number =>
  useSyncExternalStore(moment ? everySecond : never, () =>
    moment ? Math.max(0, Math.ceil((moment.getTime() - Date.now()) / 1000)) : 0,
  )
