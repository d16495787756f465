import { expect, test } from 'vitest'
import { longDistance } from './cooldown.ts'
import { failureLines } from './failure-details.ts'

test('lists how many sleds have each reason, one per line', () => {
  const sleds = [
    { count: 2, reason: 'not enough free memory' },
    { count: 1, reason: 'the sled is unreachable' },
  ]
  expect(failureLines({ sleds, exit_code: 1 })).toEqual([
    { what: '2 sleds', text: 'not enough free memory' },
    { what: '1 sled', text: 'the sled is unreachable' },
    { what: 'exit code', text: '1' },
  ])
  expect(failureLines(null)).toEqual([])
})

test.each([
  [
    { kind: 'storage', wanted: 1024 ** 3, used: 558_345_748_480, quota: 1024 ** 4 },
    ['kind: Storage', 'wanted: 1 GiB', 'used: 520 GiB', 'quota: 1 TiB'],
  ],
  [
    { kind: 'memory', wanted: 1024 ** 3, used: 1023 * 1024 ** 3, quota: 1024 ** 4 },
    ['kind: Memory', 'wanted: 1 GiB', 'used: 1,023 GiB', 'quota: 1,024 GiB'],
  ],
  [
    { kind: 'cpus', wanted: 1, used: 250, quota: 256 },
    ['kind: vCPUs', 'wanted: 1 vCPU', 'used: 250 vCPUs', 'quota: 256 vCPUs'],
  ],
  [{ free_bytes: 3 * 1024 ** 2, reserve_bytes: 512 }, ['free: 3 MiB', 'reserve: 512 B']],
  [{ bytes: 2048, ip_pool_id: 'x', ip_pool: 'default' }, ['size: 2 KiB', 'ip pool: default']],
  [{ attempts: 12_000, why: ['a'] }, ['attempts: 12,000', 'why: ["a"]']],
])('amounts use the units on screen: %j', (details, lines) => {
  expect(failureLines(details).map(({ what, text }) => `${what}: ${text}`)).toEqual(lines)
})

test.each([
  [20_000, '20 seconds'],
  [60_000, '1 minute'],
  [299_700, '5 minutes'],
  [5_400_000, '2 hours'],
  [-5, '0 seconds'],
])('%s ms reads %s', (ms, expected) => expect(longDistance(ms)).toBe(expected))
