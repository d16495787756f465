import net from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../e2e/client.ts'
import { password } from '../../e2e/target.ts'
import { okay, said } from './requests.ts'
import { samlSilo } from './saml.ts'
import { newSilo } from './silos.ts'
import { attacksThat } from './stage.ts'

attacksThat('climb', (stage) => {
  const { gantry, admin, member } = stage
  let collaborator: Client
  let siloAdmin: Client
  beforeAll(async () => {
    collaborator = await stage.person('fleet-collaborator', { silo: 'viewer', fleet: 'collaborator' })
    siloAdmin = await stage.person('silo-admin', { silo: 'admin' })
    await stage.person('victim', { fleet: 'admin' })
  })

  const mapped = (name: string, mapped_fleet_roles: object) => newSilo(name, { mapped_fleet_roles })
  const users = '/v1/system/identity-providers/local/users'
  const idOf = async (name: string): Promise<string> => {
    const { items } = await admin.read<{ items: { id: string; display_name: string }[] }>(
      '/v1/users?limit=1000',
    )
    return items.find(({ display_name }) => display_name === name)?.id ?? ''
  }

  test('through a silo that gives fleet roles', async () => {
    await okay(await admin.send('POST', '/v1/system/silos', mapped('mapped', { admin: ['admin'] })))
    const tries: Promise<Response>[] = [
      collaborator.send('PUT', '/v1/system/silos/mapped/policy', { role_assignments: [] }),
      collaborator.send('POST', '/v1/system/silos', mapped('ladder', { viewer: ['admin'] })),
      collaborator.send('DELETE', '/v1/system/silos/mapped'),
      siloAdmin.send('PUT', '/v1/system/silos/demo/quotas', { cpus: 1000 }),
    ]
    for (const answer of await Promise.all(tries)) expect([403, 404]).toContain(answer.status)
    expect((await siloAdmin.send('GET', '/v1/system/silos/demo/quotas')).status).toBe(200)
  })

  test('through the password of somebody stronger', async () => {
    const victim = await idOf('victim')
    for (const who of [collaborator, siloAdmin]) {
      const at = `${users}/${victim}/set-password?silo=demo`
      for (const body of [{ mode: 'password', value: 'taken over by me' }, { mode: 'login_disallowed' }])
        expect((await who.send('POST', at, body)).status).toBe(403)
      expect((await who.send('DELETE', `${users}/${victim}?silo=demo`)).status).toBe(403)
    }
    const still = await admin.send('POST', '/v1/login/demo/local', { username: 'victim', password })
    expect(still.status).toBe(204)
  })

  test('with an empty password, and with the session of one that was reset', async () => {
    for (const value of ['', 'a', 'password1234', 'short-one'])
      expect(
        (
          await siloAdmin.send('POST', `${users}?silo=demo`, {
            external_id: 'weak',
            password: { mode: 'password', value },
          })
        ).status,
      ).toBe(400)
    const leaver = await stage.person('leaver', { silo: 'viewer' })
    expect((await leaver.send('GET', '/v1/me')).status).toBe(200)
    const at = `${users}/${await idOf('leaver')}/set-password?silo=demo`
    await okay(await siloAdmin.send('POST', at, { mode: 'login_disallowed' }))
    expect((await leaver.send('GET', '/v1/me')).status).toBe(401)
  })

  test('with a code of a device that was used before', async () => {
    const form = (path: string, fields: Record<string, string>) =>
      fetch(gantry.url + path, { method: 'POST', body: new URLSearchParams(fields) })
    const client_id = crypto.randomUUID()
    const { device_code, user_code } = await okay<{ device_code: string; user_code: string }>(
      await form('/device/auth', { client_id }),
    )
    await okay(await member.send('POST', '/device/confirm', { user_code }))
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const token = () => form('/device/token', { grant_type, device_code, client_id })
    const first = await okay<{ time_expires: string | null }>(await token())
    expect(first.time_expires).not.toBeNull()
    expect((await token()).status).toBe(400)
  })

  test('through requests that the server sends', async () => {
    const { provider } = await samlSilo(stage, 'forger')
    let asked = 0
    const inside = net.createServer((socket) => {
      asked++
      socket.destroy()
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as net.AddressInfo
    const answers = new Set<string>()
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254'])
      answers.add(JSON.stringify(await said(await provider({ url: `http://${host}:${port}/` }))))
    answers.add(JSON.stringify(await said(await provider({ url: 'http://nothing.invalid/' }))))
    inside.close()
    expect(asked).toBe(0)
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toMatch(/^\[400,/)
  })
})
