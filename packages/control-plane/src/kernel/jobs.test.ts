import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { testServices } from '../testing/services.ts'
import { defineJob, jobsByName } from './define-job.ts'
import { runJob } from './jobs.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane({ seed: 'recovery', idle: true })
})
afterAll(() => bed.stop())

/** A job that a process has claimed for its first attempt. */
async function claimedJob(): Promise<string> {
  const { id } = await bed.db
    .insertInto('job')
    .values({
      id: crypto.randomUUID(),
      kind: 'copy',
      args: JSON.stringify({}),
      state: 'pending',
      run_at: new Date(),
      lease_until: null,
      attempts: 1,
      failure: null,
      time_created: new Date(),
      time_done: null,
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
