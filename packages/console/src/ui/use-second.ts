import { useSyncExternalStore } from 'react'

const everySecond = (listener: () => void): (() => void) => {
  const clock = setInterval(listener, 1000)
  return () => clearInterval(clock)
}

/** The current time, updated every second, because waits end without any other change. */
export function useSecond(): Date {
  const second = useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000))
  return new Date(second * 1000)
}

const never = () => (): void => undefined

/** Whole seconds until a time, counting down; 0 once passed, or if undefined. */
export const useSecondsUntil = (moment: Date | undefined): number =>
  useSyncExternalStore(moment ? everySecond : never, () =>
    moment ? Math.max(0, Math.ceil((moment.getTime() - Date.now()) / 1000)) : 0,
  )
