import { expect, test } from 'vitest'
import { Failure, refusal } from './failure.ts'
import { patiently } from './retry.ts'

const refused = (error_code: string | undefined, status: number, message = 'the disk is attached') =>
  refusal('disk_delete', status, {
    request_id: 'r',
    message,
    ...(error_code !== undefined && { error_code }),
  })

/** Runs a command that fails with each of these in turn, and then succeeds. */
async function run(failures: readonly Failure[]) {
  const left = [...failures]
  const pauses: number[] = []
  let said = ''
  const ended = await patiently(
    () => {
      const next = left.shift()
      return next ? Promise.reject(next) : Promise.resolve('done')
    },
    { err: (text) => (said += text) },
    (seconds) => Promise.resolve(void pauses.push(seconds)),
  ).catch((error: unknown) => error)
  return { ended, pauses, said, sent: failures.length - left.length }
}

test.each([
  ['InvalidRequest', 400],
  ['Conflict', 409],
  ['TooManyRequests', 429],
  ['ServiceNotAvailable', 503],
  ['InsufficientCapacity', 507],
])('%s can pass, so it is sent again', async (code, status) => {
  const { ended, pauses } = await run([refused(code, status), refused(code, status)])
  expect(ended).toBe('done')
  expect(pauses).toEqual([1, 2])
})

test.each([
  ['ObjectAlreadyExists', 400],
  ['InvalidValue', 400],
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['ObjectNotFound', 404],
  ['PreconditionFailed', 412],
  ['Internal', 500],
  [undefined, 400],
])('%s stands, so it ends the command at once', async (code, status) => {
  const failure = refused(code, status)
  expect(await run([failure])).toEqual({ ended: failure, pauses: [], said: '', sent: 1 })
})

test('after a minute the refusal ends the command, and was said once before', async () => {
  const failures = Array.from({ length: 7 }, () => refused('Conflict', 409))
  const { ended, pauses, said } = await run(failures)
  expect(ended).toBe(failures[6])
  expect(pauses).toEqual([1, 2, 4, 8, 15, 30])
  expect(said).toBe('The disk is attached. Trying again.\n')
})

test('without an answer nothing is sent again, because it may have been done', async () => {
  const lost = new Failure('noAnswer', 'No answer.')
  expect((await run([lost])).ended).toBe(lost)
})
