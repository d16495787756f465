import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { eventually, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import type { Row } from '../db/tables.ts'
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

async function insertJob(
  more: { kind: string } & Partial<Pick<Row<'job'>, 'attempts' | 'run_at' | 'owner' | 'is_long'>>,
): Promise<string> {
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
  const run_at = new Date(Date.now() - 60_000)
  for (let n = 0; n < 40; n++) await insertJob({ kind: 'copy', run_at, is_long: true, owner: `user-${n}` })
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

test('however many long jobs one person causes, others wait for none of them', async () => {
  const { db } = bed
  await db.deleteFrom('job').execute()
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (let n = 0; n < 40; n++)
    await insertJob({ kind: 'copy', run_at: minutesAgo(9), is_long: true, owner: 'greedy' })
  const begun: string[] = []
  const ends = new Map<string, (() => void)[]>()
  const copy = defineJob(
    'copy',
    z.object({ owner: z.string() }),
    (_cx, { owner }) => {
      begun.push(owner)
      return new Promise<void>((end) => ends.set(owner, [...(ends.get(owner) ?? []), end]))
    },
    { maxAttempts: 1, isLong: true },
  )
  await sql`UPDATE job SET args = jsonb_build_object('owner', owner)`.execute(db)
  const loop = jobLoop(jobsByName([copy]))
  const services = testServices({ db })
  const began = async () => {
    await loop.run(services)
    return begun.toSorted()
  }
  expect(await began()).toEqual(['greedy', 'greedy', 'greedy'])
  for (const owner of ['quiet', 'other', 'other'])
    await insertJob({ kind: 'copy', run_at: minutesAgo(1), is_long: true, owner })
  await sql`UPDATE job SET args = jsonb_build_object('owner', owner)`.execute(db)
  const all = ['greedy', 'greedy', 'greedy', 'other', 'other', 'quiet']
  expect(await began()).toEqual(all)
  // No other owner waits, and a place is free: it stays free for the next owner.
  expect(await began()).toEqual(all)
  ends.get('greedy')?.splice(0, 1)[0]?.()
  await eventually(began, (found) => found.length === 7)
  expect(begun.filter((owner) => owner === 'greedy')).toHaveLength(4)
  // Another process has places of its own, and takes the first of each person before the second of any.
  for (const owner of ['late', 'later']) await insertJob({ kind: 'copy', is_long: true, owner })
  await sql`UPDATE job SET args = jsonb_build_object('owner', owner)`.execute(db)
  const elsewhere = jobLoop(jobsByName([copy]))
  begun.length = 0
  await elsewhere.run(services)
  expect(begun.toSorted()).toEqual(['greedy', 'greedy', 'greedy', 'late', 'later'])
  await db.deleteFrom('job').where('state', '=', 'pending').where('lease_until', 'is', null).execute()
  for (const end of [...ends.values()].flat()) end()
  await Promise.all([loop.finish?.(), elsewhere.finish?.()])
})
