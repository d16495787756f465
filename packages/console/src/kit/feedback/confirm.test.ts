import { expect, test } from 'vitest'
import { closeQuestion, confirmAction, goneBytes, openQuestion } from './confirm.tsx'

const question = (title: string) => ({ title, content: '', errorTitle: '', run: async () => undefined })

test('closing an earlier question leaves a later one open', () => {
  confirmAction(question('first'))
  const first = openQuestion.get()
  confirmAction(question('second'))
  const second = openQuestion.get()
  expect(second?.id).not.toBe(first?.id)
  if (first) closeQuestion(first)
  expect(openQuestion.get()).toBe(second)
  if (second) closeQuestion(second)
  expect(openQuestion.get()).toBeUndefined()
})

test.each([
  [2 ** 30, 'Its 1 GiB is gone for good.'],
  [1.5 * 2 ** 30, 'Its 1.5 GiB are gone for good.'],
  [100 * 2 ** 30, 'Its 100 GiB are gone for good.'],
])('%d bytes: %s', (bytes, sentence) => expect(goneBytes(bytes)).toBe(sentence))
