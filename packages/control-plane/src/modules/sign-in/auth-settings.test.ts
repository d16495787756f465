import { expect } from 'vitest'
import { test } from '../../testing/bed.ts'
import { type Caller } from '../../testing/control-plane.ts'

const path = '/v1/auth-settings'
const put = (who: Caller, body: unknown, headers: Record<string, string> = {}) =>
  who.call('PUT', path, body, headers)

test('all users of the silo read them, and its administrators set them', async ({ bed, operator }) => {
  const viewer = await bed.signIn('viewer')
  const silo_id = (await viewer.get('/v1/me')).body.silo_id
  expect((await viewer.get(path)).body).toEqual({ silo_id, device_token_max_ttl_seconds: null })
  for (const who of [viewer, await bed.signIn('member')])
    expect((await put(who, { device_token_max_ttl_seconds: 60 })).status).toBe(403)
  const set = await put(operator, { device_token_max_ttl_seconds: 4_294_967_295 })
  expect([set.status, set.body]).toEqual([200, { silo_id, device_token_max_ttl_seconds: 4_294_967_295 }])
  expect((await viewer.get(path)).body).toEqual(set.body)
  expect((await put(operator, { device_token_max_ttl_seconds: null })).body).toEqual({
    silo_id,
    device_token_max_ttl_seconds: null,
  })
  const far = await bed.addUser('far', { siloId: await bed.addSilo('far') })
  expect((await far.get(path)).body.silo_id).not.toBe(silo_id)
})

test.for<[body: object, message: RegExp]>([
  [{}, /missing field `device_token_max_ttl_seconds`/],
  [{ device_token_max_ttl_seconds: 0 }, /device_token_max_ttl_seconds: /],
  [{ device_token_max_ttl_seconds: 1.5 }, /device_token_max_ttl_seconds: /],
  [{ device_token_max_ttl_seconds: 4_294_967_296 }, /device_token_max_ttl_seconds: /],
  [{ device_token_max_ttl_seconds: '60' }, /device_token_max_ttl_seconds: invalid type/],
])('%j is refused', async ([body, message], { operator }) => {
  const answer = await put(operator, body)
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
})

test('of two updates from the same state, one succeeds', async ({ operator }) => {
  const etag = (await operator.get(path)).headers.get('etag') ?? ''
  const answers = await Promise.all(
    [60, 120, 180].map((seconds) =>
      put(operator, { device_token_max_ttl_seconds: seconds }, { 'if-match': etag }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 412, 412])
  const now = await operator.get(path)
  expect(answers.find((answer) => answer.status === 412)?.body.current).toEqual(now.body)
  expect(now.headers.get('etag')).not.toBe(etag)
})
