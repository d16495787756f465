import { expect, test } from 'vitest'
import { recordedOf } from './own-requests.ts'
import type { ActivityEntry } from './queries.ts'

const entry = (requestId: string | null, name: string, id: string = crypto.randomUUID()): ActivityEntry => ({
  id,
  time: new Date('2026-03-01T12:00:00Z'),
  outcome: 'done',
  actor: { kind: 'user', id: 'u', name: 'member', authMethod: null, userAgent: null, token: null },
  plannedBy: null,
  operation: 'disk_create',
  requestId,
  project: null,
  silo: null,
  changes: [{ kind: 'disk', id: 'd', name, action: 'created', other: null, differences: [] }],
  changeCount: 1,
  reason: null,
  isRevertible: false,
  tookMs: null,
})

test('a request of several entries is one step, and an entry without one is a comment with its time', () => {
  const sent = {
    entryId: 'e',
    requestId: 'r1',
    operation: 'diskCreate',
    method: 'POST' as const,
    path: '/v1/disks',
    input: JSON.stringify({ path: {}, query: { project: 'atlas' }, body: { name: 'data', block_size: 512 } }),
    tags: [{ key: 'env', value: 'prod' }],
    answered: { id: 'd', name: 'data' },
  }
  const steps = recordedOf([entry('r0', 'old'), entry('r1', 'data', 'e'), entry('r1', 'beside')], [sent])
  expect(steps).toEqual([
    {
      note: expect.stringMatching(
        /2026.*: Created disk old\. Its request is not kept, so it is not repeated\.$/,
      ),
    },
    {
      op: { name: 'diskCreate', method: 'POST', path: '/v1/disks' },
      input: { path: {}, query: { project: 'atlas' }, body: { name: 'data', blockSize: 512 } },
      tags: sent.tags,
      answered: sent.answered,
    },
  ])
})

test('the steps of a task are the request that began it, once', () => {
  const begun = (entryId: string) => ({
    entryId,
    requestId: 'r1',
    operation: 'instanceBatchCreate',
    method: 'POST' as const,
    path: '/ext/v1/instance-batches',
    input: JSON.stringify({ path: {}, query: { project: 'atlas' }, body: { count: 2 } }),
    tags: [],
    answered: null,
  })
  const steps = recordedOf(
    [entry('r1/0', 'web-1', 'a'), entry('r1/1', 'web-2', 'b')],
    [begun('a'), begun('b')],
  )
  expect(steps).toMatchObject([{ op: { name: 'instanceBatchCreate' } }])
  expect(steps).toHaveLength(1)
})
