interface Run {
  id: string
  state: 'running' | 'done'
  timeCompleted: Date | null
}

/** Results wait for somebody who comes back after a while, and not for ever. */
const shownMs = 10 * 60_000
/** More would cover the list that they are about. */
const most = 3

/** The newest runs that nobody has put away yet; what is done while the page is open stays as long as it is. */
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
    .slice(0, most)
