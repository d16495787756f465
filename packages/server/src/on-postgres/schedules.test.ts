import { memoryBlocks } from '@gantry/control-plane/blocks/memory'
import { said, testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { schedules } from '@gantry/control-plane/modules/schedules/clock'
import { jobs } from '@gantry/control-plane/modules/registry'
import { testServices } from '@gantry/control-plane/testing/services'
import { jobLoop } from '@gantry/control-plane/work/jobs'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: schedules on PostgreSQL, ${postgres.missing}`)

describe.skipIf(!here)('schedules on PostgreSQL', () => {
  afterAll(() => here?.stop())

  test('several processes run what is due once, and none of it is lost', async () => {
    if (!here) return
    let now = Date.parse('2026-03-02T10:01:00Z')
    const blocks = memoryBlocks()
    const { dialect } = await openDatabase({ url: await here.newDatabase() })
    const bed = await testControlPlane({
      dialect,
      idle: true,
      environment: { blocks, clock: () => new Date(now) },
    })
    const processes = [1, 2, 3].map(() => ({
      services: testServices({ db: bed.db, blocks, clock: () => new Date(now) }),
      jobs: jobLoop(jobs),
    }))
    const member = await bed.signIn('member')
    const disk = {
      description: '',
      size: 2 ** 30,
      disk_source: { type: 'blank', block_size: 512 },
    }
    const names = ['a', 'b', 'c']
    for (const name of names) {
      expect(said(await member.post('/v1/disks?project=playground', { ...disk, name }))).toBe('201')
      const body = {
        name,
        description: '',
        action: 'snapshot_disk',
        objects: [name],
        timing: { type: 'hourly', minute: 0 },
        timezone: 'UTC',
        keep: { hourly: 2, daily: 0, weekly: 0, monthly: 0 },
      }
      expect(said(await member.post('/ext/v1/schedules?project=playground', body))).toBe('201')
    }
    const hours = 4
    const open = () =>
      bed.db.selectFrom('schedule_run').select('id').where('time_ended', 'is', null).executeTakeFirst()
    for (let hour = 0; hour < hours; hour++) {
      now += 3_600_000
      // Some begin runs while others work on them.
      for (let turn = 0; turn < 50 && (turn < 2 || (await open())); turn++) {
        await Promise.all(
          processes.flatMap((one) => [schedules.run(one.services), one.jobs.run(one.services)]),
        )
        await Promise.all(processes.map(async (one) => one.jobs.finish?.()))
        // Leases of what a process began and left to the others end.
        now += 11_000
      }
    }
    const { db } = bed
    const runs = await db.selectFrom('schedule_run').selectAll().execute()
    expect(runs.map(({ state, missed, total, done }) => [state, missed, total, done])).toEqual(
      Array.from({ length: hours * names.length }, () => ['done', 0, 1, 1]),
    )
    expect(runs.reduce((sum, { removed }) => sum + removed, 0)).toBe((hours - 2) * names.length)
    const taken = await db.selectFrom('snapshot').selectAll().execute()
    expect(taken).toHaveLength(hours * names.length)
    expect(taken.filter(({ time_deleted }) => time_deleted === null)).toHaveLength(2 * names.length)
    await bed.stop()
  })
})
