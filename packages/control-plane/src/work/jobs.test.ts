import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { testServices } from '../testing/services.ts'
import { defineJob, jobsByName } from '../change/define-job.ts'
import { jobLoop, runJob } from './jobs.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane({ seed: 'recovery', idle: true })
})
afterAll(() => bed.stop())

/** A job that a process has claimed for its first attempt. */
const claimedJob = (): Promise<string> => insertJob({ kind: 'copy', attempts: 1 })

async function insertJob(more: { kind: string; attempts?: number; run_at?: Date }): Promise<string> {
  const { id } = await bed.db
    .insertInto('job')
    .values({
      id: crypto.randomUUID(),
      args: JSON.stringify({}),
      state: 'pending',
      run_at: new Date(),
      lease_until: null,
      failure: null,
      time_created: new Date(),
      time_done: null,
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test.each([
  ['cleans up and reports', 1, { cleaned: 1, state: 'failed' }],
  ['leaves both to the run that took it over', 2, { cleaned: 0, state: 'pending' }],
])('a job that fails for good %s', async (_, attemptsAfter, expected) => {
  const { db } = bed
  const id = await claimedJob()
  let cleaned = 0
  const copy = defineJob(
    'copy',
    z.object({}),
    async () => {
      await db.updateTable('job').set({ attempts: attemptsAfter }).where('id', '=', id).execute()
      throw new Error('no space')
    },
    { maxAttempts: 1, gaveUp: async () => void cleaned++ },
  )
  await runJob(testServices({ db }), jobsByName([copy]), { id, kind: 'copy', args: {}, attempts: 1 })
  const { state } = await db.selectFrom('job').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  expect({ cleaned, state }).toEqual(expected)
})

test('a job that the stop of its process ends is left to the next process', async () => {
  const { db } = bed
  const id = await claimedJob()
  const ending = new AbortController()
  let cleaned = 0
  const copy = defineJob(
    'copy',
    z.object({}),
    async (cx) => {
      ending.abort()
      cx.services.ending.throwIfAborted()
    },
    { maxAttempts: 1, gaveUp: async () => void cleaned++ },
  )
  const services = testServices({ db, ending: ending.signal })
  await runJob(services, jobsByName([copy]), { id, kind: 'copy', args: {}, attempts: 1 })
  const left = await db
    .selectFrom('job')
    .select(['state', 'attempts', 'lease_until'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect({ cleaned, ...left }).toEqual({ cleaned: 0, state: 'pending', attempts: 0, lease_until: null })
})

test('jobs that take long do not keep the others waiting, however many there are', async () => {
  const { db } = bed
  await db.deleteFrom('job').execute()
  for (let n = 0; n < 40; n++) await insertJob({ kind: 'copy', run_at: new Date(Date.now() - 60_000) })
  await insertJob({ kind: 'revert' })
  const copies: (() => void)[] = []
  const reverts: string[] = []
  const copy = defineJob('copy', z.object({}), () => new Promise<void>((end) => copies.push(end)), {
    maxAttempts: 1,
    isLong: true,
  })
  const revert = defineJob('revert', z.object({}), async () => void reverts.push('reverted'), {
    maxAttempts: 1,
  })
  const loop = jobLoop(jobsByName([copy, revert]))
  const services = testServices({ db })
  const begun = async () => {
    await loop.run(services)
    return `${copies.length} ${reverts.length}`
  }
  await eventually(begun, (found) => found === '8 1')
  expect(await begun()).toBe('8 1')
  // Each that ends makes room for another.
  copies.splice(0).forEach((end) => end())
  await eventually(begun, (found) => found === '8 1')
  expect(await begun()).toBe('8 1')
  // Those that have not begun would run in the next test.
  await db.deleteFrom('job').where('state', '=', 'pending').where('lease_until', 'is', null).execute()
  copies.forEach((end) => end())
  await loop.finish?.()
})
