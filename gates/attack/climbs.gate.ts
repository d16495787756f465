import net from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { password } from '../../e2e/support/target.ts'
import { okay, rawly, refusalOf } from './requests.ts'
import { samlSilo } from './saml.ts'
import { newSilo } from './silos.ts'
import { describeAttacks } from './stage.ts'

describeAttacks('climb', (stage) => {
  const { gantry, admin, member } = stage
  let collaborator: Client
  let siloAdmin: Client
  beforeAll(async () => {
    collaborator = await stage.newUser('fleet-collaborator', { silo: 'viewer', fleet: 'collaborator' })
    siloAdmin = await stage.newUser('silo-admin', { silo: 'admin' })
    await stage.newUser('victim', { fleet: 'admin' })
  })

  const mapped = (name: string, mapped_fleet_roles: object) => newSilo(name, { mapped_fleet_roles })
  const users = '/v1/system/identity-providers/local/users'
  const idOf = async (name: string): Promise<string> => {
    const { items } = await admin.read<{ items: { id: string; display_name: string }[] }>(
      '/v1/users?limit=1000',
    )
    return items.find(({ display_name }) => display_name === name)?.id ?? ''
  }

  /** A device that requested a token and was approved, and the request for the token. */
  async function beginDevice(who: Client) {
    const form = (path: string, fields: Record<string, string>) =>
      fetch(gantry.url + path, { method: 'POST', body: new URLSearchParams(fields) })
    const client_id = crypto.randomUUID()
    const { device_code, user_code } = await okay<{ device_code: string; user_code: string }>(
      await form('/device/auth', { client_id }),
    )
    await okay(await who.send('POST', '/device/confirm', { user_code }))
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    return { token: () => form('/device/token', { grant_type, device_code, client_id }) }
  }
  const deviceToken = async (who: Client): Promise<string> => {
    const { token } = await beginDevice(who)
    return (await okay<{ access_token: string }>(await token())).access_token
  }

  test('through a silo that maps fleet roles', async () => {
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

  test('through the password of a more powerful user', async () => {
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

  test('with an empty password, and with the session of a user whose password was reset', async () => {
    for (const value of ['', 'a', 'password1234', 'short-one'])
      expect(
        (
          await siloAdmin.send('POST', `${users}?silo=demo`, {
            external_id: 'weak',
            password: { mode: 'password', value },
          })
        ).status,
      ).toBe(400)
    const leaver = await stage.newUser('leaver', { silo: 'viewer' })
    expect((await leaver.send('GET', '/v1/me')).status).toBe(200)
    const at = `${users}/${await idOf('leaver')}/set-password?silo=demo`
    await okay(await siloAdmin.send('POST', at, { mode: 'login_disallowed' }))
    expect((await leaver.send('GET', '/v1/me')).status).toBe(401)
  })

  test('with a session and a token from before a reset', async () => {
    const mover = await stage.newUser('mover', { silo: 'collaborator' })
    const token = await deviceToken(mover)
    const bearer = async () =>
      (await rawly(`${gantry.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status
    expect([(await mover.send('GET', '/v1/me')).status, await bearer()]).toEqual([200, 200])
    const at = `${users}/${await idOf('mover')}/set-password?silo=demo`
    await okay(await siloAdmin.send('POST', at, { mode: 'password', value: password }))
    // Also while the same password opens a new session.
    await new Client(gantry).signIn('mover')
    expect([(await mover.send('GET', '/v1/me')).status, await bearer()]).toEqual([401, 401])
  })

  test('through a device that a token approves, or a factor that it adds', async () => {
    const holder = await stage.newUser('holder', { silo: 'collaborator' })
    const headers = {
      authorization: `Bearer ${await deviceToken(holder)}`,
      'content-type': 'application/json',
    }
    const byToken = (path: string, body: object) =>
      fetch(gantry.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const form = (path: string, fields: Record<string, string>) =>
      fetch(gantry.url + path, { method: 'POST', body: new URLSearchParams(fields) })
    const client_id = crypto.randomUUID()
    const { device_code, user_code } = await okay<{ device_code: string; user_code: string }>(
      await form('/device/auth', { client_id }),
    )
    expect(await refusalOf(await byToken('/device/confirm', { user_code }))).toEqual([
      403,
      'access tokens cannot approve devices',
    ])
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    expect((await form('/device/token', { grant_type, device_code, client_id })).status).toBe(400)
    for (const [path, body] of [
      ['/ext/v1/me/confirmations', { kind: 'password', password }],
      ['/ext/v1/me/totp/set-up', {}],
    ] as const)
      expect([path, (await byToken(path, body)).status]).toEqual([path, 403])
    const { items } = await holder.read<{ items: unknown[] }>('/v1/me/access-tokens')
    expect(items).toHaveLength(1)
  })

  test('through the policies of projects', async () => {
    await okay(await admin.send('POST', '/v1/projects', { name: 'ladder', description: '' }))
    const climber = await stage.newUser('climber', {})
    const identity_id = await idOf('climber')
    const assignment = (role_name: string) => ({ identity_id, identity_type: 'silo_user', role_name })
    const give = (who: Client, at: string, role: string) =>
      who.send('PUT', at, { role_assignments: [assignment(role)] })
    const at = '/v1/projects/ladder/policy'
    for (const role of [undefined, 'viewer', 'collaborator']) {
      if (role) await okay(await give(admin, at, role))
      for (const where of [at, '/v1/policy', '/v1/system/policy', '/v1/system/silos/demo/policy'])
        expect([403, 404]).toContain((await give(climber, where, 'admin')).status)
    }
    // The admin of a project grants roles on that project alone.
    await okay(await give(admin, at, 'admin'))
    await okay(await give(climber, at, 'admin'))
    for (const where of ['/v1/policy', '/v1/system/policy', '/v1/system/silos/demo/policy'])
      expect([403, 404]).toContain((await give(climber, where, 'admin')).status)
  })

  test('through a group with a fleet role', async () => {
    const { idp, post } = await samlSilo(stage, 'grouped')
    const enter = async (subject: string, groups: string[]): Promise<Record<string, string>> => {
      const answer = await post(idp.respond({ subject, attributes: { groups } }))
      expect(answer.status).toBe(303)
      const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('session='))
      return { cookie: cookie?.split(';')[0] ?? '', 'content-type': 'application/json' }
    }
    const boss = await enter('boss@grouped', ['operators'])
    const get = async <Answer>(path: string) =>
      okay<Answer>(await fetch(gantry.url + path, { headers: boss }))
    const { id: user } = await get<{ id: string }>('/v1/me')
    const { items } = await get<{ items: { id: string }[] }>('/v1/me/groups')
    const give = (path: string, identity_type: string, identity_id: string | undefined, role_name: string) =>
      admin
        .read<{ role_assignments: object[] }>(path)
        .then(({ role_assignments }) =>
          admin.send('PUT', path, {
            role_assignments: [...role_assignments, { identity_type, identity_id, role_name }],
          }),
        )
        .then(okay)
    await give('/v1/system/silos/grouped/policy', 'silo_user', user, 'admin')
    await give('/v1/system/policy', 'silo_group', items[0]?.id, 'viewer')
    // Controlling the group's members would mean controlling who holds fleet roles.
    const made = await fetch(`${gantry.url}/v1/system/identity-providers/saml?silo=grouped`, {
      method: 'POST',
      headers: boss,
      body: JSON.stringify({
        name: 'own',
        description: '',
        idp_entity_id: idp.entityId,
        sp_client_id: 'gantry',
        acs_url: `${gantry.url}/login/grouped/saml/own`,
        slo_url: `${gantry.url}/logout`,
        technical_contact_email: 'ops@example.com',
        idp_metadata_source: {
          type: 'base64_encoded_xml',
          data: Buffer.from(idp.metadata).toString('base64'),
        },
        group_attribute_name: 'groups',
      }),
    })
    expect(made.status).toBe(403)
  })

  test('with a device code that was already used', async () => {
    const { token } = await beginDevice(member)
    const first = await okay<{ time_expires: string | null }>(await token())
    expect(first.time_expires).not.toBeNull()
    expect((await token()).status).toBe(400)
  })

  test('through requests made by the server', async () => {
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
      answers.add(JSON.stringify(await refusalOf(await provider({ url: `http://${host}:${port}/` }))))
    answers.add(JSON.stringify(await refusalOf(await provider({ url: 'http://nothing.invalid/' }))))
    inside.close()
    expect(asked).toBe(0)
    expect([...answers]).toHaveLength(1)
    expect([...answers][0]).toMatch(/^\[400,/)
  })
})
