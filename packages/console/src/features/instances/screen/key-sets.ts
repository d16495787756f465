import type { Press } from './us-keys.ts'

const key = (symbol: number, code: string): Press => ({ symbol, code, isShifted: false })
const control = key(0xffe3, 'ControlLeft')
const alt = key(0xffe9, 'AltLeft')
const functionKey = (number: number): Press => key(0xffbd + number, `F${number}`)

/** Keys that browsers and operating systems keep for themselves. */
export const keySets: readonly (readonly [label: string, keys: readonly Press[]])[] = [
  ['Ctrl Alt Delete', [control, alt, key(0xffff, 'Delete')]],
  ...[1, 2, 3, 4, 5, 6].map(
    (number) => [`Ctrl Alt F${number}`, [control, alt, functionKey(number)]] as const,
  ),
  ['Alt Tab', [alt, key(0xff09, 'Tab')]],
  ['Alt F4', [alt, functionKey(4)]],
  ['Escape', [key(0xff1b, 'Escape')]],
  ['Windows key', [key(0xffeb, 'MetaLeft')]],
  ['Print screen', [key(0xff61, 'PrintScreen')]],
]
