import { expect, test } from 'vitest'
import { sectionsOf } from './panel-sections.ts'
import { exampleTask } from './testing/example-task.ts'

const read = (dataUpdatedAt: number, ...items: ReturnType<typeof exampleTask>[]) => ({
  data: { items },
  dataUpdatedAt,
})
const running = exampleTask({ state: 'running' })
const stuck = exampleTask({ state: 'needs_attention' })
const finished = exampleTask({ state: 'finished' })

test('a task that ended after the open ones were read is finished alone', () => {
  for (const before of [running, stuck])
    expect(sectionsOf(read(1, before), read(2, finished), [])).toEqual({
      needed: [],
      running: [],
      finished: [finished],
    })
})

test('a task that was tried again after the ended ones were read is running alone', () =>
  expect(sectionsOf(read(2, running), read(1, finished), [])).toEqual({
    needed: [],
    running: [running],
    finished: [],
  }))

test('a finished task that a notification shows is not among the finished ones', () =>
  expect(sectionsOf(read(1), read(1, finished), [finished.id]).finished).toEqual([]))

test('a list that is not read yet is empty', () =>
  expect(
    sectionsOf({ data: undefined, dataUpdatedAt: 0 }, { data: undefined, dataUpdatedAt: 0 }, []),
  ).toEqual({ needed: [], running: [], finished: [] }))
