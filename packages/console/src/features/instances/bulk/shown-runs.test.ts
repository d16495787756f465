import { expect, test } from 'vitest'
import { shownRuns } from './shown-runs.ts'

const now = 3_600_000
const run = (id: string, minutesAgo?: number) => ({
  id,
  state: minutesAgo === undefined ? ('running' as const) : ('done' as const),
  timeCompleted: minutesAgo === undefined ? null : new Date(now - minutesAgo * 60_000),
})

test('shows running runs and recent ones not dismissed, three at most', () => {
  const runs = [run('going'), run('read', 1), run('fresh', 9), run('old', 11), run('one', 2), run('two', 3)]
  expect(shownRuns(runs, ['read'], now).map(({ id }) => id)).toEqual(['going', 'fresh', 'one'])
})
