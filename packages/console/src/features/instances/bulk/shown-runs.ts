interface Run {
  id: string
  state: 'running' | 'done'
  timeCompleted: Date | null
}

/** Results wait for a user who returns after a while, but not for ever. */
const shownMs = 10 * 60_000
/** More would cover the list they are about. */
const maxShown = 3

/** The newest runs not dismissed. Runs that end while the page is open stay until it closes. */
export const shownRuns = <R extends Run>(
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
