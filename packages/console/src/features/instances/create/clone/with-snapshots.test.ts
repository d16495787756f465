import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { type CopyProgress, type SnapshotCalls, withSnapshots } from './with-snapshots.ts'

const boot = { id: 'disk-boot', name: 'boot', size: GiB }
const data = { id: 'disk-data', name: 'data', size: 2 * GiB }
const refused = (message: string) => new Failure({ message, statusCode: 400, errorCode: 'InvalidRequest' })

/** A project whose snapshots are ready at once, with the ids of the existing ones. */
function project(more: Partial<SnapshotCalls> = {}) {
  const existing = new Set<string>()
  const calls: SnapshotCalls = {
    take: async ({ id, name }) => {
      existing.add(`of-${id}`)
      return { id: `of-${id}`, name: `of-${name}`, state: 'ready' }
    },
    read: async (id) => ({ id, name: id, state: 'ready' }),
    remove: async ({ id }) => existing.delete(id),
    wait: async () => undefined,
    ...more,
  }
  return { calls, existing }
}

const messages = (error: unknown) => (error as AggregateError).errors.map(({ message }: Error) => message)

test('every disk has a snapshot while the instance is created, and none afterwards', async () => {
  const { calls, existing } = project()
  const steps: CopyProgress[] = []
  const outcome = await withSnapshots(
    [boot, data],
    calls,
    (progress) => steps.push(progress),
    async (snapshotOf) => {
      expect([...existing]).toEqual(['of-disk-boot', 'of-disk-data'])
      return snapshotOf
    },
  )
  expect([...outcome.result]).toEqual([
    ['disk-boot', 'of-disk-boot'],
    ['disk-data', 'of-disk-data'],
  ])
  expect(outcome.leftover).toEqual([])
  expect(existing.size).toBe(0)
  expect(steps.map((step) => step.map(({ isReady }) => isReady))).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
})

test('waits for a snapshot in creation', async () => {
  let reads = 0
  const { calls } = project({
    take: async ({ id, name }) => ({ id, name, state: 'creating' }),
    read: async (id) => ({ id, name: id, state: ++reads < 3 ? 'creating' : 'ready' }),
  })
  await withSnapshots([boot], calls, ignore, async () => expect(reads).toBe(3))
})

test('if one snapshot fails, deletes the others and creates nothing', async () => {
  const { calls: working, existing } = project()
  const calls: SnapshotCalls = {
    ...working,
    take: async (disk) => {
      if (disk === data) throw refused('no room')
      return working.take(disk)
    },
  }
  const error = await withSnapshots([boot, data], calls, ignore, mustNotCreate).catch(
    (reason: unknown) => reason,
  )
  expect(messages(error)).toEqual(['Snapshot of disk data: no room'])
  expect(existing.size).toBe(0)
})

test.each([
  ['is faulted', { read: async (id: string) => ({ id, name: id, state: 'faulted' as const }) }, /failed/],
  ['never becomes ready', {}, /not ready after 10 minutes/],
])('a snapshot that %s fails', async (_, more, message) => {
  const creating = async ({ id, name }: { id: string; name: string }) => ({
    id,
    name,
    state: 'creating' as const,
  })
  const { calls } = project({ take: creating, read: async (id) => creating({ id, name: id }), ...more })
  const error = await withSnapshots([boot], calls, ignore, mustNotCreate).catch((reason: unknown) => reason)
  expect(messages(error)).toEqual([expect.stringMatching(message)])
})

test('if the instance is refused, deletes its snapshots and throws the refusal', async () => {
  const { calls, existing } = project()
  const refusal = refused('name is taken')
  await expect(withSnapshots([boot, data], calls, ignore, () => Promise.reject(refusal))).rejects.toBe(
    refusal,
  )
  expect(existing.size).toBe(0)
})

test('reports a snapshot it cannot delete, with the reason, after success and failure', async () => {
  const { calls } = project({ remove: () => Promise.reject(refused('still in use')) })
  const created = await withSnapshots([boot], calls, ignore, async () => 'created')
  expect(created.leftover.map(({ message }) => message)).toEqual(['Snapshot of-boot was kept: still in use'])

  const error = await withSnapshots([boot], calls, ignore, () =>
    Promise.reject(refused('name is taken')),
  ).catch((reason: unknown) => reason)
  expect(messages(error)).toEqual(['name is taken', 'Snapshot of-boot was kept: still in use'])
})

const ignore = () => undefined
const mustNotCreate = () => Promise.reject(new Error('nothing may be created'))
