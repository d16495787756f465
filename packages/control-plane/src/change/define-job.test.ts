import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Cx } from '../context/cx.ts'
import { defineJob, jobsByName } from './define-job.ts'
import { Refusal } from '../context/refusal.ts'

const cx = {} as Cx
const heard: unknown[] = []
const job = defineJob(
  'copy',
  z.object({ disk_id: z.string(), size: z.number(), from: z.string().optional() }),
  async (_cx, args) => void heard.push(args),
  { maxAttempts: 3, gaveUp: async (_cx, args, error) => void heard.push([args, error.message]) },
)

test('a stored row runs with the arguments that the schema defines', async () => {
  heard.length = 0
  await job.run(cx, { disk_id: 'd', size: 1, step: 2 })
  expect(heard).toEqual([{ disk_id: 'd', size: 1 }])
})

test.each([{}, null, { disk_id: 'd', size: '1' }])(
  'arguments %j fail permanently, and nothing runs',
  async (stored) => {
    heard.length = 0
    const failure = await job.run(cx, stored).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Refusal)
    expect(failure).toMatchObject({ code: 'Internal', message: 'the arguments of job copy cannot be read' })
    await job.gaveUp(cx, stored, failure as Error)
    expect(heard).toEqual([])
  },
)

test('a job is found by the name in its rows', () => {
  expect(jobsByName([job])).toEqual({ copy: job })
})
