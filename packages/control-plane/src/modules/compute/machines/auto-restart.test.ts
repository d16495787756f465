import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '@gantry/control-plane/db/database'
import type { Patch } from '@gantry/control-plane/db/tables'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { autoRestart } from './auto-restart.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

/** The database, of which something else changes a row between two steps of the caller. */
const changedBefore = (db: Db, changing: () => Promise<unknown>) =>
  ({
    selectFrom: (table: 'instance') => db.selectFrom(table),
    transaction: () => ({
      execute: async (work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) => {
        await changing()
        return db.transaction().execute(work)
      },
    }),
  }) as unknown as Db

test.each<[string, Patch<'instance'>, string]>([
  ['changes nothing', {}, 'starting'],
  ['sets the policy never', { auto_restart_policy: 'never' }, 'failed'],
  ['wants it stopped', { intended_state: 'stopped' }, 'failed'],
  ['has just restarted it', { time_last_auto_restarted: new Date() }, 'failed'],
])('a failed instance whose user or another process %s after it was found', async (words, patch, state) => {
  const name = words.replaceAll(' ', '-')
  const body = { name, description: '', ncpus: 1, memory: 1024 ** 3, hostname: name, start: false }
  const { id } = (await me.post('/v1/instances?project=playground', body)).body
  const set = (values: Patch<'instance'>) =>
    bed.db.updateTable('instance').set(values).where('id', '=', id).execute()
  await set({ run_state: 'failed', intended_state: 'running' })
  const changing = async () => void (Object.keys(patch).length > 0 && (await set(patch)))
  await autoRestart.run(testServices({ db: changedBefore(bed.db, changing) }))
  const after = await me.get(`/v1/instances/${name}?project=playground`)
  expect(after.body.run_state).toBe(state)
  await set({ run_state: 'stopped' })
})

test('a failed instance that the quota refuses is tried again only when there is room', async () => {
  const body = { name: 'waiting', description: '', ncpus: 1, memory: 1024 ** 3, hostname: 'w', start: false }
  const { id } = (await me.post('/v1/instances?project=playground', body)).body
  await bed.db
    .updateTable('instance')
    .set({ run_state: 'failed', intended_state: 'running' })
    .where('id', '=', id)
    .execute()
  const { silo_id } = (await me.get('/v1/me')).body
  const quota = (cpus: number) =>
    bed.db.updateTable('silo_quotas').set({ cpus }).where('silo_id', '=', silo_id).execute()
  const view = async () => (await me.get('/v1/instances/waiting?project=playground')).body
  let changes = 0
  const counted = changedBefore(bed.db, async () => void changes++)
  await quota(0)
  await autoRestart.run(testServices({ db: counted }))
  expect((await view()).failure.message).toMatch(/vCPU Limit Exceeded/)
  const first = changes
  expect(first).toBeGreaterThan(0)
  await autoRestart.run(testServices({ db: counted }))
  expect(changes).toBe(first)
  await quota(100)
  await autoRestart.run(testServices({ db: counted }))
  expect((await view()).run_state).toBe('starting')
})
