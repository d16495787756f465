import { expect, test } from 'vitest'
import { protectedAgainstText } from './against.ts'
import { protectionText, whyProtected } from './words.ts'

const protection = { noDelete: true, noStop: false, reason: 'holds the payroll', setBy: null }

test('a protection says who set it and why, only where it forbids something', () => {
  const byMara = { ...protection, setBy: { id: 'id', name: 'mara' } }
  expect(whyProtected(byMara, 'delete')).toBe('Protected by mara: holds the payroll')
  expect(whyProtected(byMara, 'stop')).toBeUndefined()
  expect(whyProtected(undefined, 'delete')).toBeUndefined()
  expect(protectionText(protection)).toBe('Protected by an operator: holds the payroll')
})

test.each([
  [true, false, 'It cannot be deleted.'],
  [false, true, 'It cannot be stopped.'],
  [true, true, 'It cannot be deleted or stopped.'],
])('against deletion %s, against a stop %s', (noDelete, noStop, text) => {
  expect(protectedAgainstText({ noDelete, noStop })).toBe(text)
})
