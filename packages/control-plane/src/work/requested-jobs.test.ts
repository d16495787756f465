import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { testServices } from '../testing/services.ts'
import { defineJob, jobsByName } from '../change/define-job.ts'
import { requestedJobs } from './requested-jobs.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane({ seed: 'recovery', idle: true })
})
afterAll(() => bed.stop())

test('a request is answered while its job goes on, unless too many jobs do', async () => {
  const ends: (() => void)[] = []
  const copy = defineJob('copy', z.object({}), () => new Promise<void>((resolve) => ends.push(resolve)), {
    maxAttempts: 1,
    gaveUp: async () => {},
  })
  const jobs = requestedJobs(jobsByName([copy]), { answerMs: 20, maxOutliving: 1 })
  const services = testServices({ db: bed.db })
  const run = () => jobs.run(services, { id: crypto.randomUUID(), kind: 'copy', args: {}, attempts: 1 })

  await run()
  let isAnswered = false
  const second = run().then(() => (isAnswered = true))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isAnswered).toBe(false)
  ends[1]?.()
  await second

  ends[0]?.()
  await jobs.finish()
  await run()
  ends[2]?.()
  await jobs.finish()
  expect(ends).toHaveLength(3)
})
