import { expect, test } from 'vitest'
import { commonReason, type MenuEntry } from './Menu.tsx'

const off = (label: string, disabled: string): MenuEntry => ({ label, disabled })

test.each<[string, MenuEntry[], string | undefined]>([
  ['all for one reason', [{ label: 'Copy ID' }, 'rule', off('Edit', 'no'), off('Delete', 'no')], 'no'],
  ['for different reasons', [off('Edit', 'no'), off('Stop', 'not now'), off('Delete', 'no')], undefined],
  ['one alone', [{ label: 'Edit' }, off('Delete', 'no')], undefined],
  ['nothing', [{ label: 'Edit' }, { heading: 'More' }], undefined],
])('a menu in which %s is disabled', (_, entries, reason) => expect(commonReason(entries)).toBe(reason))
