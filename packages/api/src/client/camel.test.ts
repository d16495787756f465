import { expect, test } from 'vitest'
import { fromWire, toWire } from './camel.ts'

const records = new Set(['details'])

test('keys become camelCase, time-like strings become dates, and keys that are data stay unchanged', () => {
  const wire = {
    time_created: '2025-11-20T10:00:00Z',
    run_state: 'running',
    details: { sled_one: { free_ram: 1 } },
  }
  expect(fromWire({ items: [wire], next_page: null }, records)).toEqual({
    items: [
      {
        timeCreated: new Date('2025-11-20T10:00:00Z'),
        runState: 'running',
        details: { sled_one: { free_ram: 1 } },
      },
    ],
    nextPage: null,
  })
})

test('the reverse conversion restores the wire format', () => {
  const date = new Date('2025-11-20T10:00:00Z')
  expect(toWire({ startTime: date, ipAddresses: [{ poolId: 'a' }] }, records)).toEqual({
    start_time: date.toISOString(),
    ip_addresses: [{ pool_id: 'a' }],
  })
})
