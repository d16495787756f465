import { useMemo } from 'react'
import { createStore, useStore } from '#/store.ts'

/** `absent`: this server has no stream, so pages poll, and the console shows no notice. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'absent'

/** Longer than a row's highlight animation, so that the animation can finish. */
const changedMs = 2000

const changed = createStore<ReadonlyMap<string, number>>(new Map())
let since: string | undefined

/** The state of the stream. The stream's own code loads after the first page (live-stream.ts). */
export const live = {
  state: createStore<LiveState>('connecting'),
  /**
   * Records the server's position at the first read, if it sends one. The stream opens later and begins there, so
   * nothing is read twice.
   */
  readAt(headers: Headers): void {
    since ??= headers.get('x-change-seq') ?? undefined
  },
  since: (): string | undefined => since,
  /** Marks an object as changed by the server. */
  mark(id: string): void {
    changed.set(new Map(changed.get()).set(id, Date.now()))
    setTimeout(forget, changedMs + 10)
  },
}

function forget(): void {
  const recent = [...changed.get()].filter(([, at]) => Date.now() - at < changedMs)
  if (recent.length < changed.get().size) changed.set(new Map(recent))
}

export const useLiveState = (): LiveState => useStore(live.state)

/** The interval for `refetchInterval`, in milliseconds, or false while the change stream is live. */
export function usePolling(intervalMs: number | false): number | false {
  return useLiveState() === 'live' ? false : intervalMs
}

/** Ids of objects that the server changed a moment ago, so that their rows can be highlighted. */
export function useChanged(): ReadonlySet<string> {
  const recent = useStore(changed)
  return useMemo(() => new Set(recent.keys()), [recent])
}
