import { expect, test } from 'vitest'
import { commonReason, type MenuEntry } from './Menu.tsx'

const off = (label: string, disabled: string): MenuEntry => ({ label, disabled })

test.each<[string, MenuEntry[], string | undefined]>([
  [
    'all entries share a reason',
    [{ label: 'Copy ID' }, 'rule', off('Edit', 'no'), off('Delete', 'no')],
    'no',
  ],
  [
    'entries have different reasons',
    [off('Edit', 'no'), off('Stop', 'not now'), off('Delete', 'no')],
    undefined,
  ],
  ['one entry is disabled', [{ label: 'Edit' }, off('Delete', 'no')], undefined],
  ['no entry is disabled', [{ label: 'Edit' }, { heading: 'More' }], undefined],
])('the shared reason of a menu in which %s', (_, entries, reason) =>
  expect(commonReason(entries)).toBe(reason),
)
