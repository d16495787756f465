import type { OutputOf } from '@gantry/api/client/client'
import { createStore } from '#/store.ts'

interface Ending {
  id: string
  state: 'running' | 'done'
  timeCompleted: Date | null
}

/** Results wait for a user who returns after a while, but not for ever. */
const shownMs = 10 * 60_000
/** More would cover the list they are about. */
const maxShown = 3

/** The newest runs not dismissed. Runs that end while the page is open stay until it closes. */
export const shownRuns = <R extends Ending>(
  runs: readonly R[],
  dismissed: readonly string[],
  openedAt: number,
): R[] =>
  runs
    .filter(
      ({ id, state, timeCompleted }) =>
        !dismissed.includes(id) &&
        (state === 'running' || (timeCompleted !== null && openedAt - timeCompleted.getTime() < shownMs)),
    )
    .slice(0, maxShown)

const key = 'gantry-read-runs'
/** A little more than a server lists. */
const maxStored = 50

/** Runs whose results the user dismissed, remembered for the tab. */
export function readDismissed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function saveDismissed(ids: readonly string[]): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(ids.slice(-maxStored)))
  } catch {
    // Storage can be forbidden; dismissed runs then return with the next page load.
  }
}

/** A run kept in this page, for servers without bulk runs. */
export type LocalRun = Pick<
  OutputOf<'instanceActionView'>,
  'id' | 'action' | 'state' | 'items' | 'timeCompleted'
> & { project: string }

export type Run = Omit<LocalRun, 'project'>

export const hasEnded = ({ state }: Run['items'][number]): boolean => state === 'done' || state === 'failed'

/** The newest first, in the server's order. */
export const localRuns = createStore<readonly LocalRun[]>([])

export function saveRun(run: LocalRun): void {
  const runs = localRuns.get()
  const isKnown = runs.some(({ id }) => id === run.id)
  localRuns.set(isKnown ? runs.map((each) => (each.id === run.id ? run : each)) : [run, ...runs])
}
