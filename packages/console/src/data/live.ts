import { useMemo, useSyncExternalStore } from 'react'

/** `absent`: this server has no stream, so pages look again at intervals and nobody is told. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'absent'

/** Longer than the wash of a row, so that it ends by itself. */
const changedMs = 2000

let state: LiveState = 'connecting'
let since: string | undefined
let isSimulated = false
let changed: ReadonlyMap<string, number> = new Map()
const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the stream knows; the stream itself is fetched once the first page is there (live-stream.ts). */
export const live = {
  state: (): LiveState => state,
  become(next: LiveState): void {
    if (state === next) return
    state = next
    notify()
  },
  /**
   * Notes up to where the first thing read was current, if the server says: the stream that opens later then
   * begins there, and nothing has to be read twice.
   */
  readAt(headers: Headers): void {
    since ??= headers.get('x-change-seq') ?? undefined
  },
  since: (): string | undefined => since,
  /** Whether the server has said that its rack is simulated: nothing on it is real software. */
  isSimulated: (): boolean => isSimulated,
  tellSimulated(next: boolean): void {
    if (isSimulated === next) return
    isSimulated = next
    notify()
  },
  /** Notes that an object changed by itself. */
  mark(id: string): void {
    changed = new Map(changed).set(id, Date.now())
    setTimeout(forget, changedMs + 10)
    notify()
  },
}

function forget(): void {
  const recent = [...changed].filter(([, at]) => Date.now() - at < changedMs)
  if (recent.length === changed.size) return
  changed = new Map(recent)
  notify()
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, live.state)

export const useSimulated = (): boolean => useSyncExternalStore(subscribe, live.isSimulated)

/** Milliseconds between looks for `refetchInterval`: false while the server tells of changes by itself. */
export function usePolling(intervalMs: number | false): number | false {
  return useLiveState() === 'live' ? false : intervalMs
}

/** Ids of what changed by itself a moment ago, so that rows can be washed. */
export function useChanged(): ReadonlySet<string> {
  const recent = useSyncExternalStore(subscribe, () => changed)
  return useMemo(() => new Set(recent.keys()), [recent])
}
