import { expect, onTestFinished, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import { type Caller, testControlPlane } from '../testing/control-plane.ts'

/** A control plane whose users may have one request at a time. */
async function onePlace() {
  const limits = { ...defaultSettings.limits, requests_at_once: 1, heavy_requests_at_once: 1 }
  const bed = await testControlPlane({
    environment: { settings: { ...defaultSettings, limits } },
    idle: true,
  })
  onTestFinished(() => bed.stop())
  const answered: string[] = []
  /** Sends a request whose response counts as sent only when the test says so. */
  const ask = (who: Caller, name: string, path = '/v1/me') => {
    let send = (): void => {}
    const sent = new Promise<void>((resolve) => (send = resolve))
    const request = new Request(`http://localhost${path}`, { headers: { cookie: who.cookie } })
    const response = bed.plane.fetch(request, { address: '127.0.0.1', sent }).then((one) => {
      answered.push(name)
      return one
    })
    return { send, response }
  }
  return { bed, answered, ask }
}

/** Long enough for a request that is not held back to be answered. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))

test('a request keeps its place until its answer is sent', async () => {
  const { bed, answered, ask } = await onePlace()
  const [one, other] = [await bed.signIn('member'), await bed.signIn('viewer')]
  const first = ask(one, 'first')
  await first.response
  const second = ask(one, 'second')
  await ask(other, 'of another').response
  await pause()
  expect(answered).toEqual(['first', 'of another'])
  first.send()
  expect((await second.response).status).toBe(200)
  second.send()
  expect((await one.get('/v1/me')).status).toBe(200)
})

test('a refusal keeps no place, nor does an open stream of changes', async () => {
  const { bed, ask } = await onePlace()
  const one = await bed.signIn('member')
  expect((await ask(one, 'refused', '/v1/projects/unknown').response).status).toBe(404)
  expect((await ask(one, 'unparsed', '/v1/projects?limit=x').response).status).toBe(400)
  const stream = await ask(one, 'stream', '/ext/v1/changes').response
  expect((await ask(one, 'page').response).status).toBe(200)
  await stream.body?.cancel()
})

test('an answer that is discarded because its caller changed meanwhile keeps no place', async () => {
  const { bed, ask } = await onePlace()
  const admin = await bed.signIn('admin')
  const guest = await bed.addUser('guest')
  expect((await guest.get('/v1/me')).status).toBe(200)
  const policy = (await admin.get('/v1/policy')).body
  const assignment = { identity_type: 'silo_user', identity_id: guest.id, role_name: 'viewer' }
  const body = { role_assignments: [...policy.role_assignments, assignment] }
  expect((await admin.call('PUT', '/v1/policy', body)).status).toBe(200)
  const first = ask(guest, 'with new roles')
  expect((await first.response).status).toBe(200)
  first.send()
  expect((await guest.get('/v1/me')).status).toBe(200)
})
