import { expect, test } from 'vitest'
import type { Choices } from './options.ts'
import { Trouble } from './trouble.ts'

const paths = Array.from({ length: 400 }, (_, index) => `/v1/projects/p${index}`)

async function met(choices: Partial<Choices>, order = paths): Promise<Map<string, number | undefined>> {
  const trouble = new Trouble(() => ({ user: '', delay: 'off', chaos: 0, seed: '', ...choices }))
  const answers = new Map<string, number | undefined>()
  for (const path of order) {
    const answer = await trouble.meet(new Request(`http://localhost${path}`))
    answers.set(path, answer?.status)
  }
  return answers
}

const failed = (answers: Map<string, unknown>) =>
  [...answers.values()].filter((status) => status !== undefined)

test.each([
  [0, 0, 0],
  [25, 60, 140],
  [100, 400, 400],
])('of 400 calls at %s percent from %s to %s fail', async (chaos, min, max) => {
  const count = failed(await met({ chaos, seed: 'a' })).length
  expect(count).toBeGreaterThanOrEqual(min)
  expect(count).toBeLessThanOrEqual(max)
})

test('every failure status occurs, and no other', async () => {
  expect(new Set(failed(await met({ chaos: 100, seed: 'a' })))).toEqual(new Set([401, 403, 404, 500]))
})

test('the same seed fails the same calls, in any order; another seed fails others', async () => {
  const first = await met({ chaos: 30, seed: 'a' })
  const backwards = await met({ chaos: 30, seed: 'a' }, paths.toReversed())
  for (const path of paths) expect(backwards.get(path)).toBe(first.get(path))
  expect([...(await met({ chaos: 30, seed: 'b' })).values()]).not.toEqual([...first.values()])
  expect([...(await met({ chaos: 30 })).values()]).not.toEqual([...(await met({ chaos: 30 })).values()])
})

test('a failed call may succeed on retry', async () => {
  const trouble = new Trouble(() => ({ user: '', delay: 'off', chaos: 50, seed: 'a' }))
  const again = async () => (await trouble.meet(new Request('http://localhost/v1/me')))?.status
  const tries = await Promise.all(Array.from({ length: 20 }, again))
  expect(tries).toContain(undefined)
  expect(tries.some((status) => status !== undefined)).toBe(true)
})

test("a failure has the API's format", async () => {
  const trouble = new Trouble(() => ({ user: '', delay: 'off', chaos: 100, seed: '' }))
  const answer = await trouble.meet(new Request('http://localhost/v1/me'))
  const body = (await answer?.json()) as Record<string, unknown>
  expect(Object.keys(body)).toEqual(['request_id', 'error_code', 'message', 'help'])
  expect(answer?.headers.get('x-request-id')).toBe(body.request_id)
})
