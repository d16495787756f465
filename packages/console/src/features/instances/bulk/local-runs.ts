import type { OutputOf } from '@gantry/api/client/client'

type Run = OutputOf<'instanceActionView'>

/** A run kept in this page, for servers without bulk runs. */
export type LocalRun = Pick<Run, 'id' | 'action' | 'state' | 'items' | 'timeCompleted'> & { project: string }

let runs: readonly LocalRun[] = []
const listeners = new Set<() => void>()

/** The newest first, in the server's order. */
export const localRuns = {
  all: (): readonly LocalRun[] => runs,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function saveRun(run: LocalRun): void {
  const isKnown = runs.some(({ id }) => id === run.id)
  runs = isKnown ? runs.map((each) => (each.id === run.id ? run : each)) : [run, ...runs]
  for (const listener of listeners) listener()
}
