import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ScreenClient } from './screen-client.ts'
import type { Press } from './us-keys.ts'

/** Types keys one after the other, until it is stopped. */
export function useTyping(client: RefObject<ScreenClient | undefined>) {
  const [left, setLeft] = useState<number>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  function start(keys: readonly Press[]): void {
    stopping.current?.abort()
    const stop = new AbortController()
    stopping.current = stop
    setLeft(keys.length)
    void client.current
      ?.type(keys, (done) => setLeft(keys.length - done), stop.signal)
      .finally(() => {
        if (stopping.current === stop) setLeft(undefined)
      })
    client.current?.focus()
  }
  return { left, start, stop: () => stopping.current?.abort() }
}
