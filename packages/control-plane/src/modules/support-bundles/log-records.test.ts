import { expect, test } from 'vitest'
import { safeRecord } from './log-records.ts'

test('a record keeps its time, message and codes, and loses everything that people wrote', () => {
  const record = {
    time: '2026-01-01T00:00:00.000Z',
    level: 'error',
    pid: 7,
    msg: 'a request failed',
    operation: 'disk_create',
    status: 500,
    uri: '/v1/disks?project=secret-plan',
    user: 'ada',
    address: '10.0.0.9',
    job: { name: 'secret-plan' },
    err: {
      type: 'Error',
      code: '23505',
      message: 'secret-plan exists',
      detail: 'Key (name)=(secret-plan)',
      stack: 'Error: secret-plan exists\nsecret-plan\n    at run (/srv/gantry/app.js:1:2)',
    },
  }
  expect(JSON.parse(safeRecord(JSON.stringify(record)) ?? '')).toEqual({
    time: record.time,
    level: 'error',
    pid: 7,
    msg: 'a request failed',
    operation: 'disk_create',
    status: 500,
    err: { type: 'Error', code: '23505', frames: ['at run (/srv/gantry/app.js:1:2)'] },
  })
})

test.each(['', 'not json', '7', 'null'])('%j is no record', (line) =>
  expect(safeRecord(line)).toBeUndefined(),
)
