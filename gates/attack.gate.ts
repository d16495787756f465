import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { password } from '../e2e/target.ts'
import { samlSilo } from './attack/saml.ts'
import { databases, during, flood, okay, openStage, rawly, said, type Stage, tally } from './attack/stage.ts'

const GiB = 1024 ** 3
const rules = '/v1/vpc-firewall-rules?project=playground&vpc=default'
/** A megabyte of empty objects: 350,000 of them. */
const objects = `{"rules":[${Array(349_000).fill('{}').join(',')}]}`
/** What an attack may add to the memory of the process, in MiB, garbage that is not yet collected included. */
const roomMiB = 400
/** Requests of somebody else, one each 50 ms, that may wait for their answers at one time. */
const waitingMost = 80

describe.each(databases)('attacks on a server with the %s database', async (database) => {
  const opened = await openStage(database)
  test('has a server to attack', (context) => {
    if ('missing' in opened) return context.skip(opened.missing)
    expect(opened.gantry.isAlive).toBe(true)
  })
  if ('missing' in opened) return
  const stage: Stage = opened
  const { gantry, admin, member } = stage
  let collaborator: Awaited<ReturnType<Stage['person']>>
  let siloAdmin: typeof collaborator
  beforeAll(async () => {
    collaborator = await stage.person('fleet-collaborator', { silo: 'viewer', fleet: 'collaborator' })
    siloAdmin = await stage.person('silo-admin', { silo: 'admin' })
    await stage.person('victim', { fleet: 'admin' })
  })
  afterAll(() => stage.remove())

  /** Others are answered meanwhile, and the memory does not run away. */
  async function othersAreAnswered(attack: () => Promise<unknown>): Promise<void> {
    const seen = await during(stage, attack)
    console.log(`  ${expect.getState().currentTestName?.split(' > ').at(-1)}:`, JSON.stringify(seen))
    expect(seen.faults).toEqual([])
    expect(seen.answered).toBeGreaterThan(0)
    expect(seen.mostWaiting).toBeLessThan(waitingMost)
    expect(seen.peak - seen.before).toBeLessThan(roomMiB)
  }

  describe('that would stop it', () => {
    test('SAML responses of many elements', async () => {
      const { idp, post } = await samlSilo(stage, 'acme')
      const siblings = (count: number): string => `<a>${'<a/>'.repeat(count)}</a>`
      const answers = async () => {
        const large = await said(await post(siblings(20_000), '198.51.100.2'))
        const many = await said(await post(siblings(16_000), '198.51.100.3'))
        const flooding = await flood(60, 20, async (index) => {
          const answer = await post(siblings(16_000), `198.51.101.${index}`)
          await answer.arrayBuffer()
          return answer.status
        })
        return { large, many, flooding }
      }
      let result: Awaited<ReturnType<typeof answers>> | undefined
      await othersAreAnswered(async () => (result = await answers()))
      expect(result?.large).toEqual([400, 'SAMLResponse is larger than 65536 bytes'])
      expect(result?.many).toEqual([400, expect.stringMatching(/more than 1000 elements/)])
      expect(result?.flooding.filter((status) => status !== 400 && status !== 503)).toEqual([])
      const good = await post(idp.respond(), '198.51.100.4')
      expect(good.status).toBe(303)
    })

    test('megabytes of JSON of a stranger, of a foreign page and of a member', async () => {
      const put = async (headers: Record<string, string>) => {
        const answer = await fetch(gantry.url + rules, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', ...headers },
          body: objects,
        }).catch(() => undefined)
        return answer ? said(answer) : ([0, 'the connection was ended'] as const)
      }
      const strangers: number[] = []
      await othersAreAnswered(async () => {
        for (const [status] of await flood(40, 8, () => put({}))) strangers.push(status)
      })
      // A connection may be ended before a body that nobody reads is whole.
      expect(strangers.filter((status) => status !== 401 && status !== 0)).toEqual([])
      const [foreign] = await put({ ...member.headers, origin: 'https://evil.example' })
      expect([403, 0]).toContain(foreign)
      await othersAreAnswered(async () => {
        const answers = await flood(10, 4, () => put(member.headers))
        const read = answers.filter(([status]) => status !== 0)
        expect(read.length).toBeGreaterThan(0)
        expect(new Set(read.map(([status, message]) => `${status} ${message}`))).toEqual(
          new Set(['400 unsupported value for "rules": max length 1024']),
        )
      })
    })

    test('texts of a megabyte and pages of ten thousand', async () => {
      await othersAreAnswered(() =>
        flood(20, 10, async () => okay(await member.send('GET', '/v1/images?limit=10000'))),
      )
      const image = {
        name: 'wide',
        description: '',
        os: 'x'.repeat(1024 * 1024),
        version: '1',
        source: { type: 'you_can_boot_anything_as_long_as_its_alpine' },
      }
      const at = '/v1/images?project=playground'
      // A connection may be ended before a body that nobody reads is whole.
      const large = await member.send('POST', at, image).catch(() => undefined)
      expect([400, undefined]).toContain(large?.status)
      const [status, message] = await said(await member.send('POST', at, { ...image, os: 'x'.repeat(129) }))
      expect([status, message]).toEqual([400, expect.stringMatching(/^unable to parse JSON body: os: /)])
    })

    test('ten thousand pipelined requests on one connection', async () => {
      const pipelined = `GET /openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`.repeat(10_000)
      await othersAreAnswered(async () => {
        const socket = net.connect(Number(new URL(gantry.url).port), '127.0.0.1')
        socket.on('error', () => undefined)
        let received = 0
        socket.on('data', (bytes: Buffer) => (received += bytes.length))
        socket.write(pipelined)
        const closed = once(socket, 'close')
        // Whoever reads all answers, or is cut off, has seen it through.
        await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 5000))])
        socket.destroy()
        expect(received).toBeGreaterThan(0)
      })
      const first = await fetch(`${gantry.url}/openapi.json`)
      await first.arrayBuffer()
      const again = await fetch(`${gantry.url}/openapi.json`, {
        headers: { 'if-none-match': first.headers.get('etag') ?? '' },
      })
      expect(again.status).toBe(304)
    })

    test('four hundred serial consoles of one person', async () => {
      const body = { name: 'talker', description: '', hostname: 'talker', ncpus: 1, memory: GiB, start: true }
      await okay(await member.send('POST', '/v1/instances?project=playground', body))
      const at = '/v1/instances/talker?project=playground'
      await expect
        .poll(async () => (await member.read<{ run_state: string }>(at)).run_state, { timeout: 60_000 })
        .toBe('running')
      const url = `${gantry.url.replace('http:', 'ws:')}/v1/instances/talker/serial-console/stream?project=playground`
      const sockets: WebSocket[] = []
      const ends: string[] = []
      await othersAreAnswered(async () => {
        await flood(400, 40, async () => {
          const socket = new WebSocket(url, { headers: member.headers })
          socket.on('error', (error) => ends.push(error.message))
          socket.on('close', (code, reason) => ends.push(`${code} ${reason.toString()}`))
          sockets.push(socket)
          await Promise.race([once(socket, 'open'), once(socket, 'error')]).catch(() => undefined)
        })
        await new Promise((resolve) => setTimeout(resolve, 3000))
      })
      expect(sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length).toBeLessThanOrEqual(20)
      // Those that came too fast were refused by the person's requests a second, before they were consoles.
      const { '1006 ': cut = 0, 'Unexpected server response: 429': early = 0, ...closed } = tally(ends)
      expect(cut).toBe(early)
      expect(closed).toEqual({
        '1013 You have 20 serial consoles open, the maximum. Close one first.': 380 - early,
      })
      for (const socket of sockets) socket.terminate()
    })

    test('one person who asks without end', async () => {
      const statuses: number[] = []
      await othersAreAnswered(async () => {
        const answers = await flood(1500, 100, async () => {
          const answer = await member.send('GET', '/v1/me')
          await answer.arrayBuffer()
          return answer
        })
        for (const answer of answers) statuses.push(answer.status)
        const refused = answers.filter(({ status }) => status === 429)
        expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
      })
      const counts = tally(statuses)
      expect(Object.keys(counts).sort()).toEqual(['200', '429'])
      expect(counts['200']).toBeGreaterThanOrEqual(100)
      await new Promise((resolve) => setTimeout(resolve, 3000))
      expect((await member.send('GET', '/v1/me')).status).toBe(200)
    })
  })

  describe('that would climb', () => {
    const silo = (name: string, mapped_fleet_roles: Record<string, string[]>) => ({
      name,
      description: '',
      discoverable: false,
      identity_mode: 'local_only',
      quotas: { cpus: 0, memory: 0, storage: 0 },
      tls_certificates: [],
      mapped_fleet_roles,
    })
    const users = '/v1/system/identity-providers/local/users'
    const idOf = async (name: string): Promise<string> => {
      const { items } = await admin.read<{ items: { id: string; display_name: string }[] }>(
        '/v1/users?limit=1000',
      )
      return items.find(({ display_name }) => display_name === name)?.id ?? ''
    }

    test('through a silo that gives fleet roles', async () => {
      await okay(await admin.send('POST', '/v1/system/silos', silo('mapped', { admin: ['admin'] })))
      const tries: Promise<Response>[] = [
        collaborator.send('PUT', '/v1/system/silos/mapped/policy', { role_assignments: [] }),
        collaborator.send('POST', '/v1/system/silos', silo('ladder', { viewer: ['admin'] })),
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

  describe('that would hold others up or learn too much', () => {
    const signIn = (username: string, secret: string, address: string, cookie = '') =>
      fetch(`${gantry.url}/v1/login/demo/local`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
        body: JSON.stringify({ username, password: secret }),
      })

    test('guesses do not shut out the device that its owner signed in from', async () => {
      const home = '203.0.113.9'
      const first = await signIn('viewer', password, home)
      expect(first.status).toBe(204)
      const device = first.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0] ?? '')
        .join('; ')
      await othersAreAnswered(() =>
        flood(200, 20, async (index) => {
          const wrong = await signIn(index % 2 === 0 ? 'viewer' : `nobody-${index}`, 'not the password', home)
          expect([401, 429]).toContain(wrong.status)
          expect(wrong.status === 401 || Number(wrong.headers.get('retry-after')) > 0).toBe(true)
          await wrong.arrayBuffer()
        }),
      )
      expect((await signIn('viewer', password, home, device)).status).toBe(204)
    })

    test('names of silos are not told apart at sign-in', async () => {
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

    test('projects that one may not know are those that are not there', async () => {
      await okay(await admin.send('POST', '/v1/projects', { name: 'hidden', description: '' }))
      const nobody = await stage.person('nobody', {})
      const answer = async (path: string) => {
        const response = await nobody.send('GET', path)
        const { request_id: _id, ...rest } = (await response.json()) as Record<string, unknown>
        return JSON.stringify([response.status, rest]).replaceAll(/hidden|nothere/g, 'NAME')
      }
      for (const path of ['/v1/instances/web?project=', '/v1/vpc-subnets/default?vpc=default&project='])
        expect(await answer(`${path}hidden`)).toBe(await answer(`${path}nothere`))
    })

    test('a name that is not the server’s own is not believed', async () => {
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

  test('and the server finds itself at fault in nothing', () => {
    const errors = gantry.log.split('\n').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line))
    expect(errors).toEqual([])
  })
})
