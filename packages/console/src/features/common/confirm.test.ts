import { expect, test } from 'vitest'
import { closeQuestion, confirmAction, openQuestion } from './confirm.tsx'

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
