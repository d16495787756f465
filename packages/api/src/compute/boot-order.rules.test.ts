import { expect, test } from 'vitest'
import { bootWords, firmwareOfInstaller } from './boot-order.rules.ts'

const cd = (name: string, kind: Parameters<typeof bootWords>[0]['cds'][number]['kind']) => ({ name, kind })

test.each([
  [{ firmware: 'bios', cds: [], disk: 'disk db-1' }, 'Boots from disk db-1.'],
  [
    { firmware: 'uefi', cds: [cd('debian', 'either')], disk: 'disk db-1' },
    'Boots from the CD debian first, then from disk db-1.',
  ],
  [
    { firmware: 'uefi', cds: [cd('windows', 'uefi'), cd('drivers', 'data')], disk: 'disk c' },
    'Boots from the CD windows first, then from disk c. The CD drivers does not boot.',
  ],
  [
    { firmware: 'bios', cds: [cd('windows', 'uefi')], disk: 'disk c' },
    'Boots from disk c. The CD windows boots only by UEFI, and the instance has BIOS.',
  ],
  [{ firmware: 'bios', cds: [], disk: undefined }, 'Nothing boots: it has no disk, and no CD that boots.'],
] as const)('%j', (machine, words) => expect(bootWords(machine)).toBe(words))

test('a blank disk gets the firmware by which its installer boots', () => {
  expect(firmwareOfInstaller(['uefi', 'data'])).toBe('uefi')
  expect(firmwareOfInstaller(['data', 'either'])).toBe('bios')
  expect(firmwareOfInstaller(['data', null])).toBeUndefined()
})
