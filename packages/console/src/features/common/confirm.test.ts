import { expect, test } from 'vitest'
import { confirmSlot } from './confirm.tsx'

const question = (title: string) => ({ title, content: '', errorTitle: '', run: async () => undefined })

test('closing an earlier question leaves a later one open', () => {
  confirmSlot.ask(question('first'))
  const first = confirmSlot.current()
  confirmSlot.ask(question('second'))
  const second = confirmSlot.current()
  expect(second?.id).not.toBe(first?.id)
  if (first) confirmSlot.close(first)
  expect(confirmSlot.current()).toBe(second)
  if (second) confirmSlot.close(second)
  expect(confirmSlot.current()).toBeUndefined()
})
