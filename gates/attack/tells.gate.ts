import { expect, test } from 'vitest'
import { password } from '../../e2e/support/target.ts'
import { othersAreAnswered } from './others.ts'
import { flood, okay, rawly } from './requests.ts'
import { samlSilo } from './saml.ts'
import { newSilo } from './silos.ts'
import { describeAttacks } from './stage.ts'

describeAttacks('delay others or learn too much', (stage) => {
  const { gantry, admin } = stage

  const signIn = (username: string, secret: string, address: string, cookie = '') =>
    fetch(`${gantry.url}/v1/login/demo/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
      body: JSON.stringify({ username, password: secret }),
    })

  test('guesses do not lock out the device that its owner signed in from', async () => {
    const home = '203.0.113.9'
    const first = await signIn('viewer', password, home)
    expect(first.status).toBe(204)
    const device = first.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .join('; ')
    await othersAreAnswered(stage, () =>
      flood(200, 20, async (index) => {
        const wrong = await signIn(index % 2 === 0 ? 'viewer' : `nobody-${index}`, 'not the password', home)
        expect([401, 429]).toContain(wrong.status)
        expect(wrong.status === 401 || Number(wrong.headers.get('retry-after')) > 0).toBe(true)
        await wrong.arrayBuffer()
      }),
    )
    expect((await signIn('viewer', password, home, device)).status).toBe(204)
  })

  test('sign-in does not reveal silo names', async () => {
    await okay(await admin.send('POST', '/v1/system/silos', newSilo('mapped')))
    await samlSilo(stage, 'acme')
    const answer = async (path: string, body?: unknown) => {
      const response = await fetch(gantry.url + path, {
        ...(body === undefined
          ? {}
          : {
              method: 'POST',
              body: JSON.stringify(body),
              headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.77' },
            }),
        redirect: 'manual',
      })
      const { request_id: _id, ...rest } = (await response.json()) as Record<string, unknown>
      return JSON.stringify([response.status, rest]).replaceAll(/mapped|nowhere|acme/g, 'SILO')
    }
    const wrong = { username: 'somebody', password: 'not the password' }
    const silos = ['mapped', 'acme', 'nowhere']
    const passwords = await Promise.all(silos.map((name) => answer(`/v1/login/${name}/local`, wrong)))
    const redirects = await Promise.all(silos.map((name) => answer(`/login/${name}/saml/nobody/redirect`)))
    const methods = await Promise.all(
      ['mapped', 'nowhere'].map((name) => answer(`/ext/v1/login/silos/${name}`)),
    )
    for (const answers of [passwords, redirects, methods]) expect([...new Set(answers)]).toHaveLength(1)
  })

  test('hidden projects look like missing ones', async () => {
    await okay(await admin.send('POST', '/v1/projects', { name: 'hidden', description: '' }))
    const nobody = await stage.newUser('nobody', {})
    const answer = async (path: string) => {
      const response = await nobody.send('GET', path)
      const { request_id: _id, ...rest } = (await response.json()) as Record<string, unknown>
      return JSON.stringify([response.status, rest]).replaceAll(/hidden|nothere/g, 'NAME')
    }
    for (const path of ['/v1/instances/web?project=', '/v1/vpc-subnets/default?vpc=default&project='])
      expect(await answer(`${path}hidden`)).toBe(await answer(`${path}nothere`))
  })

  test('a foreign host name is not trusted', async () => {
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      `rebound.example:${new URL(gantry.url).port}`,
    ]) {
      const { status } = await rawly(`${gantry.url}/v1/ping`, { headers: { host } })
      expect([host, status]).toEqual([host, 421])
    }
    const forwarded = await rawly(`${gantry.url}/v1/ping`, {
      headers: { 'x-forwarded-host': 'evil.example' },
    })
    expect(forwarded.status).toBe(421)
    expect((await rawly(`${gantry.url}/v1/ping`, { headers: { host: 'localhost' } })).status).toBe(200)
  })
})
