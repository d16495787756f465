import { taskBeginning, taskSentence } from '@gantry/api/history/task.rules'
import { expect, test } from 'vitest'
import { exampleTask as task, exampleTaskBegan as began } from './testing/example-task.ts'
import { rateText, shares, standing, timing } from './words.ts'

const objects = { unit: 'objects', done: 212, running: 81, failed: 7, total: 300 } as const

test.each([
  [task({}), 'Stopping 300 instances'],
  [task({ state: 'finished' }), 'Stopped 300 instances'],
  [task({ state: 'failed', progress: objects }), 'Stopped 212 of 300 instances'],
  [
    task({ state: 'failed', verb: 'create', count: 1, object: { kind: 'disk', id: null, name: 'db' } }),
    'Could not create disk db',
  ],
])('%# reads as %s', (told, sentence) => expect(taskSentence(told)).toBe(sentence))

test('one that was cancelled says what it was to do', () =>
  expect(taskBeginning(task({ state: 'cancelled' }))).toBe('Cancelled: stop'))

test.each([
  [task({ progress: objects }), '212 stopped, 81 stopping, 7 failed'],
  [task({ progress: { ...objects, done: 0, running: 0, failed: 0 } }), '0 stopped, 300 waiting'],
  [task({ progress: { ...objects, unit: 'bytes', done: 2 ** 30, total: 3 * 2 ** 30 } }), '1 GiB of 3 GiB'],
  [
    task({
      step: { number: 2, of: 3, label: 'converting' },
      progress: { ...objects, unit: 'percent', done: 41 },
    }),
    'Step 2 of 3, converting · 41%',
  ],
  [task({}), undefined],
])('%# stands at %s', (told, words) => expect(standing(told)).toBe(words))

test('what is done, in progress and failed are shares of the whole', () => {
  expect(shares({ ...objects, done: 150, running: 75, failed: 30 })).toEqual({
    done: 50,
    running: 25,
    failed: 10,
  })
  expect(shares({ ...objects, total: 0 })).toEqual({ done: 0, running: 0, failed: 0 })
})

test('an open task says since when, an ended one how long it took', () => {
  const later = (ms: number) => new Date(began.getTime() + ms)
  expect(timing(task({}), later(148_000))).toBe('2 min 28 s')
  expect(timing(task({ state: 'finished', timeEnded: later(41_000) }), later(60_000))).toMatch(
    / · took 41 s$/,
  )
})

test('a rate needs two readings', () => {
  const now = { bytes: 48 * 2 ** 20, at: 1000 }
  expect(rateText(undefined, now, 1)).toBeUndefined()
  expect(rateText({ bytes: 0, at: 0 }, now, 2 * 48 * 2 ** 20)).toBe('48 MiB/s · 2 s left')
})
