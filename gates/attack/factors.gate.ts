import { type OpName, ops } from '@gantry/api/registry'
import { totpCode, totpStepAt } from '@gantry/control-plane/modules/sign-in/factors/totp'
import { expect, test } from 'vitest'
import { password } from '../../e2e/support/target.ts'
import { okay, rawly, refusalOf, tally } from './requests.ts'
import { describeAttacks, type Stage } from './stage.ts'

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describeAttacks('get past a second factor', (stage) => {
  const { gantry } = stage

  test('with the password alone', async () => {
    await withApp(stage, 'pending')
    const { cookie } = await afterPassword(stage, 'pending')
    const secret = cookie.replace('sign_in=', '')
    const opened: string[] = []
    for (const name of Object.keys(ops) as OpName[]) {
      const { anonymous, method, path, transport } = ops[name]
      if (anonymous) continue
      const url = gantry.url + path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID())
      const shows: Record<string, string>[] = [
        { cookie },
        { cookie: `session=${secret}` },
        { cookie: `__Host-session=${secret}` },
        { authorization: `Bearer ${secret}` },
      ]
      for (const shown of shows) {
        const headers = { ...shown, ...(transport === 'websocket' && handshake) }
        const { status } = await rawly(url, { method, headers })
        if (status !== 401) opened.push(`${name}: ${status}`)
      }
    }
    expect(opened).toEqual([])
  })

  test('with a code that was already used', async () => {
    const { codeAt, recovery } = await withApp(stage, 'twice')
    const waiting = await Promise.all(Array.from({ length: 4 }, () => afterPassword(stage, 'twice')))
    const code = await codeAt(1)
    const answers = await Promise.all(waiting.map(({ post }) => post('totp', { code })))
    expect(tally(answers.map(({ status }) => status))).toEqual({ '204': 1, '400': 3 })
    const again = await afterPassword(stage, 'twice')
    expect(await refusalOf(await again.post('totp', { code }))).toEqual([
      400,
      'the code is wrong or was used before',
    ])
    const [one = ''] = recovery
    expect((await again.post('recovery-code', { code: one })).status).toBe(204)
    const last = await afterPassword(stage, 'twice')
    expect((await last.post('recovery-code', { code: one })).status).toBe(400)
  })

  test('by guessing codes, concurrently and from many addresses', async () => {
    const { codeAt } = await withApp(stage, 'guessed')
    const { post } = await afterPassword(stage, 'guessed')
    const right = await codeAt(1)
    const wrong = Array.from({ length: 60 }, (_, index) => String(index).padStart(6, '0')).filter(
      (code) => code !== right,
    )
    const guesses = await Promise.all(
      wrong.map((code, index) => post(index % 2 ? 'totp' : 'recovery-code', { code }, `203.0.113.${index}`)),
    )
    const statuses = tally(guesses.map(({ status }) => status))
    expect(statuses).toEqual({ '400': 10, '429': wrong.length - 10 })
    const waits = guesses
      .filter(({ status }) => status === 429)
      .map(({ headers }) => Number(headers.get('retry-after')))
    expect(Math.min(...waits)).toBeGreaterThan(0)
    // The right code gets the same response now, and others are unaffected.
    expect((await post('totp', { code: right })).status).toBe(429)
    const other = await withApp(stage, 'beside')
    const theirs = await afterPassword(stage, 'beside')
    expect((await theirs.post('totp', { code: await other.codeAt(1) })).status).toBe(204)
  })

  test('through a silo that requires a factor, for a user without one', async () => {
    const demand = (second_factor: string) =>
      stage.admin.send('PUT', '/ext/v1/auth-settings', { second_factor })
    await stage.newUser('newcomer', { silo: 'viewer' })
    await okay(await demand('required'))
    const { cookie, post } = await afterPassword(stage, 'newcomer')
    expect((await rawly(`${gantry.url}/v1/me`, { headers: { cookie } })).status).toBe(401)
    for (const path of ['totp', 'recovery-code', 'totp-set-up/confirm'])
      expect((await post(path, { code: '000000' })).status).toBe(400)
    await okay(await demand('optional'))
  })
})

/** A new user with an authenticator app; `codeAt` takes a number of steps from now. */
async function withApp(stage: Stage, name: string) {
  const client = await stage.newUser(name, { silo: 'viewer' })
  const { secret } = await okay<{ secret: string }>(await client.send('POST', '/ext/v1/me/totp/set-up'))
  const codeAt = (ahead: number) => totpCode(secret, totpStepAt(new Date()) + ahead)
  const made = await client.send('POST', '/ext/v1/me/totp', { code: await codeAt(-1) })
  const { recovery_codes: recovery } = await okay<{ recovery_codes: string[] }>(made)
  return { codeAt, recovery }
}

/** The password step of a sign-in, and the means to complete it. */
async function afterPassword({ gantry }: Stage, username: string) {
  const post = async (path: string, body: object, address = '198.51.100.9', cookie = ''): Promise<Response> =>
    fetch(gantry.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
      body: JSON.stringify(body),
    })
  const answer = await post('/v1/login/demo/local', { username, password })
  expect(answer.status).toBe(401)
  const [cookie = ''] = answer.headers.getSetCookie().map((each) => each.split(';')[0])
  expect(cookie).toMatch(/^sign_in=/)
  return {
    cookie,
    post: (path: string, body: object, address?: string) =>
      post(`/ext/v1/login/demo/${path}`, body, address, cookie),
  }
}
