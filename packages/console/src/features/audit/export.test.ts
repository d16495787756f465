import { expect, test } from 'vitest'
import { exported } from './export.ts'
import type { AuditRecord } from './queries.ts'

const time = new Date('2025-08-01T10:00:00Z')
const record: AuditRecord = {
  id: 'r',
  timeStarted: time,
  timeCompleted: time,
  requestId: 'q',
  requestUri: '/v1/disks?project=web',
  operationId: 'disk_create',
  sourceIp: '192.0.2.1',
  userAgent: '=HYPERLINK("http://x")',
  actor: { kind: 'silo_user', siloUserId: 'u', siloId: 's' },
  actorName: 'ana, of "ops"',
  actorSiloName: 'demo',
  triedName: null,
  authMethod: 'session_cookie',
  credentialId: 's',
  result: { kind: 'error', httpStatusCode: 400, errorCode: null, errorMessage: 'two\nlines' },
  details: null,
  changes: [
    {
      kind: 'disk',
      op: 'create',
      objectId: 'd',
      name: 'db',
      project: null,
      silo: null,
      isVisible: true,
      before: null,
      after: { block_size: 512 },
    },
  ],
  changeCount: 3,
}

test('CSV quotes cells where necessary, and disarms formulas', () => {
  const [heads, ...rest] = exported([record], 'csv').split('\r\n')
  expect(heads).toMatch(/^id,time_started,/)
  const line = rest.join('\r\n')
  expect(line).toContain('"ana, of ""ops"""')
  expect(line).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(line).toContain('"two\nlines"')
  expect(line).toMatch(/create disk db; and 2 more\r\n$/)
})

test('JSON lines contain the records of the API unchanged', () => {
  const lines = exported([record, record], 'jsonl').trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    time_completed: '2025-08-01T10:00:00.000Z',
    actor: { silo_user_id: 'u' },
    changes: [{ object_id: 'd', after: { block_size: 512 } }],
  })
})
