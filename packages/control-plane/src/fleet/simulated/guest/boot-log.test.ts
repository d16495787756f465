import { GiB } from '@gantry/api/base/bytes.rules'
import { describe, expect, test } from 'vitest'
import { BOOT_MS, bootLog } from './boot-log.ts'
import { bootedAt, db, web } from './guest.fixtures.ts'
import type { GuestFacts } from '../../simulated-guest.ts'

const crowded: GuestFacts = {
  ...db,
  disks: Array.from({ length: 12 }, (_, index) => {
    return { name: `disk-${index}`, size: 1 * GiB, block_size: 512, is_boot: index === 0 }
  }),
  interfaces: Array.from({ length: 8 }, (_, index) => {
    return {
      name: `net${index}`,
      mac: `a8:40:25:00:00:0${index}`,
      ip: `10.0.0.${index + 5}`,
      prefix_length: 24,
      is_primary: index === 0,
    }
  }),
}
const bare: GuestFacts = { ...web, disks: [], interfaces: [], ssh_keys: 0, os: '', version: '' }

describe.each([
  ['small', web],
  ['larger', db],
  ['crowded', crowded],
  ['bare', bare],
])('the log of a %s machine', (_, facts) => {
  const log = bootLog(facts, bootedAt)

  test('has a plausible length', () => {
    expect(log.length).toBeGreaterThanOrEqual(32)
    expect(log.length).toBeLessThanOrEqual(64)
  })

  test('is in order and ends before the login prompt', () => {
    const offsets = log.map(({ offset }) => offset)
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
    expect(offsets[0]).toBe(0)
    expect(offsets.at(-1)).toBeGreaterThan(BOOT_MS * 0.9)
    expect(offsets.at(-1)).toBeLessThan(BOOT_MS)
  })

  test('shows each offset as its time stamp', () => {
    for (const { offset, text } of log) expect(Number(text.slice(1, 13)) * 1000).toBeCloseTo(offset, 3)
  })

  test('is the same each time', () => expect(bootLog(facts, bootedAt)).toEqual(log))
})

test.each([
  ['kernel', web, 'Linux version 6.8.0-64-generic (x86_64, SMP)'],
  ['one processor', web, 'smp: brought up 1 node, 1 CPU'],
  ['processors', db, 'smp: brought up 1 node, 16 CPUs'],
  ['memory', web, 'Memory: 999424K/1048576K available'],
  ['clock', web, 'rtc_cmos: system clock set to 2025-10-09T08:06:41 UTC'],
  ['boot disk first', db, 'virtio_blk virtio1: [vda] 83886080 512-byte logical blocks (42.9 GB/40.0 GiB)'],
  [
    'data disk',
    db,
    'virtio_blk virtio2: [vdb] 1073741824 512-byte logical blocks (549.8 GB/512.0 GiB), 4096-byte physical blocks',
  ],
  ['partitions', db, ' vda: vda1 vda14 vda15'],
  ['MAC', db, 'virtio_net virtio4: eth1 has MAC a8:40:25:f3:4d:05'],
  ['address', db, 'systemd-networkd[338]: eth1: up, address 192.168.7.9/24'],
  ['gateway of the primary', db, 'systemd-networkd[338]: default route through 192.168.7.1'],
  ['hostname', db, 'systemd[1]: Hostname set to <db.example.org>'],
  ['one key', web, 'cloud-init[412]: 1 SSH public key authorized for the default user'],
  ['keys', db, 'cloud-init[412]: 3 SSH public keys authorized for the default user'],
  ['no key', bare, 'cloud-init[412]: no SSH public keys authorized for the default user'],
  ['no disk', bare, 'RAMDISK: no disk found, running from /dev/ram0'],
] as const)('the log mentions the %s', (_, facts, message) => {
  expect(bootLog(facts, bootedAt).map(({ text }) => text.slice(15))).toContain(message)
})
