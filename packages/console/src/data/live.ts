import { type FleetCapability, fleetLacks } from '@gantry/api/fleet.rules'
import { useMemo, useSyncExternalStore } from 'react'

/** `absent`: this server has no stream, so pages poll, and the console shows no notice. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'absent'

/** Longer than a row's highlight animation, so that the animation can finish. */
const changedMs = 2000

let state: LiveState = 'connecting'
let since: string | undefined
let isSimulated = false
let lacks: readonly FleetCapability[] = []
let changed: ReadonlyMap<string, number> = new Map()
const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of the stream. The stream's own code loads after the first page (live-stream.ts). */
export const live = {
  state: (): LiveState => state,
  become(next: LiveState): void {
    if (state === next) return
    state = next
    notify()
  },
  /**
   * Records the server's position at the first read, if it sends one. The stream opens later and begins there, so
   * nothing is read twice.
   */
  readAt(headers: Headers): void {
    since ??= headers.get('x-change-seq') ?? undefined
  },
  since: (): string | undefined => since,
  /** Whether the server has reported a simulated rack, on which no real software runs. */
  isSimulated: (): boolean => isSimulated,
  tellSimulated(next: boolean): void {
    if (isSimulated === next) return
    isSimulated = next
    notify()
  },
  lacks: (): readonly FleetCapability[] => lacks,
  tellLacks(next: readonly FleetCapability[]): void {
    if (lacks.join() === next.join()) return
    lacks = next
    notify()
  },
  /** Marks an object as changed by the server. */
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

/** Why the fleet cannot do this, if it cannot. */
export function useWhyLacking(capability: FleetCapability): string | undefined {
  return useSyncExternalStore(subscribe, live.lacks).includes(capability) ? fleetLacks[capability] : undefined
}

/** The interval for `refetchInterval`, in milliseconds, or false while the change stream is live. */
export function usePolling(intervalMs: number | false): number | false {
  return useLiveState() === 'live' ? false : intervalMs
}

/** Ids of objects that the server changed a moment ago, so that their rows can be highlighted. */
export function useChanged(): ReadonlySet<string> {
  const recent = useSyncExternalStore(subscribe, () => changed)
  return useMemo(() => new Set(recent.keys()), [recent])
}
