import { expect, test } from 'vitest'
import { disksInSlots, diskSlots, nextSlot } from './disk-slots.ts'

test.each([
  [[], 1],
  [[0], 1],
  [[0, 1], 2],
  [[1, 3], 4],
  [[5], 6],
  // All slots behind the last one are used up: an earlier one, but not the first.
  [[2, 18], 3],
  [[2, 3, 18], 4],
  [[12, 13, 14, 15, 16, 17, 18], 1],
])('beside %j, the next disk takes slot %i', (held, slot) => {
  expect(nextSlot(held)).toBe(slot)
})

test('a machine never runs out of slots while disks come and go', () => {
  let held: number[] = []
  for (let round = 0; round < 200; round++) {
    if (held.length === 8) held = held.filter((_, index) => index !== (round * 5) % 8)
    const slot = nextSlot(held)
    expect(held).not.toContain(slot)
    expect(slot).toBeGreaterThan(0)
    expect(slot).toBeLessThan(diskSlots)
    held.push(slot)
  }
})

const found = (disks: Record<string, number>, boot: string | null) =>
  disksInSlots(
    Object.entries(disks).map(([id, slot]) => ({ id, slot })),
    boot,
  ).map(({ id, slot, is_boot }) => `${slot} ${id}${is_boot ? ' (boot)' : ''}`)

test.each([
  ['the boot disk comes first', { system: 1, archive: 2 }, 'system', ['0 system (boot)', '2 archive']],
  ['also if it was attached last', { system: 1, archive: 2 }, 'archive', ['0 archive (boot)', '1 system']],
  [
    'without one, the first attached boots',
    { system: 2, archive: 3 },
    null,
    ['0 system (boot)', '3 archive'],
  ],
  [
    'a disk in its slot from before stays',
    { archive: 0, system: 1 },
    'system',
    ['0 archive', '1 system (boot)'],
  ],
  ['a boot disk in its slot from before stays', { boot: 0, data: 1 }, 'boot', ['0 boot (boot)', '1 data']],
])('%s', (_, disks, boot, expected) => {
  expect(found(disks, boot)).toEqual(expected)
})
