import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { othersAreAnswered } from './others.ts'
import { flood, okay, refusalOf, tally } from './requests.ts'
import { samlSilo } from './saml.ts'
import { describeAttacks } from './stage.ts'

const GiB = 1024 ** 3
const rules = '/v1/vpc-firewall-rules?project=playground&vpc=default'
/** A megabyte of empty objects: 350,000 of them. */
const objects = `{"rules":[${Array(349_000).fill('{}').join(',')}]}`

describeAttacks('stop it', (stage) => {
  const { gantry, member } = stage

  test('SAML responses with many elements', async () => {
    const { idp, post } = await samlSilo(stage, 'acme')
    const siblings = (count: number): string => `<a>${'<a/>'.repeat(count)}</a>`
    const answers = async () => {
      const large = await refusalOf(await post(siblings(20_000), '198.51.100.2'))
      const many = await refusalOf(await post(siblings(16_000), '198.51.100.3'))
      const flooding = await flood(60, 20, async (index) => {
        const answer = await post(siblings(16_000), `198.51.101.${index}`)
        await answer.arrayBuffer()
        return answer.status
      })
      return { large, many, flooding }
    }
    let result: Awaited<ReturnType<typeof answers>> | undefined
    await othersAreAnswered(stage, async () => (result = await answers()))
    expect(result?.large).toEqual([400, 'SAMLResponse is larger than 65536 bytes'])
    expect(result?.many).toEqual([400, expect.stringMatching(/more than 1000 elements/)])
    expect(result?.flooding.filter((status) => status !== 400 && status !== 503)).toEqual([])
    const good = await post(idp.respond(), '198.51.100.4')
    expect(good.status).toBe(303)
  })

  test('megabytes of JSON from an anonymous caller, a foreign page and a user', async () => {
    const put = async (headers: Record<string, string>) => {
      const answer = await fetch(gantry.url + rules, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: objects,
      }).catch(() => undefined)
      return answer ? refusalOf(answer) : ([0, 'the connection was ended'] as const)
    }
    const strangers: number[] = []
    await othersAreAnswered(stage, async () => {
      for (const [status] of await flood(40, 8, () => put({}))) strangers.push(status)
    })
    // A connection may be ended before an unread body is complete.
    expect(strangers.filter((status) => status !== 401 && status !== 0)).toEqual([])
    const [foreign] = await put({ ...member.headers, origin: 'https://evil.example' })
    expect([403, 0]).toContain(foreign)
    await othersAreAnswered(stage, async () => {
      const answers = await flood(10, 4, () => put(member.headers))
      const read = answers.filter(([status]) => status !== 0)
      expect(read.length).toBeGreaterThan(0)
      expect(new Set(read.map(([status, message]) => `${status} ${message}`))).toEqual(
        new Set(['400 unsupported value for "rules": max length 1024']),
      )
    })
  })

  test('bodies ten thousand levels deep, and input that overflowed the check of targets', async () => {
    const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000)
    const bodies = [
      deep('[', ']'),
      deep('{"a":', '}').replace(':}', ':1}'),
      `{"name":${deep('[', ']')},"description":""}`,
      `{"rules":[{"targets":${deep('[', ']')}}]}`,
      `{"rules":[{"targets":[${Array(10_000).fill('{}').join(',')}]}]}`,
      `{"rules":[${Array(1000)
        .fill(`{"targets":[${Array(15).fill('{}').join(',')}]}`)
        .join(',')}]}`,
    ]
    const asked: [method: string, path: string][] = [
      ['PUT', rules],
      ['POST', '/ext/v1/vpc-packet-checks?project=playground&vpc=default'],
      ['POST', '/v1/instances?project=playground'],
      ['POST', '/v1/projects'],
      ['POST', '/v1/system/silos'],
    ]
    const wrong: string[] = []
    await othersAreAnswered(stage, async () => {
      for (const [method, path] of asked)
        for (const [index, body] of bodies.entries())
          for (const [who, expected] of [
            [{}, 401],
            [member.headers, 400],
          ] as const) {
            const headers = { 'content-type': 'application/json', ...who }
            const answer = await fetch(gantry.url + path, { method, headers, body }).catch(() => undefined)
            await answer?.arrayBuffer()
            // A connection may be ended before an unread body is complete.
            if (answer && answer.status !== expected) wrong.push(`${answer.status} to ${path} ${index}`)
          }
    })
    expect(wrong).toEqual([])
  })

  test('texts of a megabyte and pages of ten thousand', async () => {
    await othersAreAnswered(stage, () =>
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
    // A connection may be ended before an unread body is complete.
    const large = await member.send('POST', at, image).catch(() => undefined)
    expect([400, undefined]).toContain(large?.status)
    const [status, message] = await refusalOf(
      await member.send('POST', at, { ...image, os: 'x'.repeat(129) }),
    )
    expect([status, message]).toEqual([400, expect.stringMatching(/^unable to parse JSON body: os: /)])
  })

  test('four hundred serial consoles of one user', async () => {
    const body = { name: 'talker', description: '', hostname: 'talker', ncpus: 1, memory: GiB, start: true }
    await okay(await member.send('POST', '/v1/instances?project=playground', body))
    const at = '/v1/instances/talker?project=playground'
    await expect
      .poll(async () => (await member.read<{ run_state: string }>(at)).run_state, { timeout: 60_000 })
      .toBe('running')
    const url = `${gantry.url.replace('http:', 'ws:')}/v1/instances/talker/serial-console/stream?project=playground`
    const sockets: WebSocket[] = []
    const ends: string[] = []
    await othersAreAnswered(stage, async () => {
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
    // Those that came too fast were refused by the user's request rate, before they were consoles.
    const { '1006 ': cut = 0, 'Unexpected server response: 429': early = 0, ...closed } = tally(ends)
    expect(cut).toBe(early)
    expect(closed).toEqual({
      '1013 You have 20 serial consoles open, the maximum. Close one first.': 380 - early,
    })
    for (const socket of sockets) socket.terminate()
  })

  test('one user who sends requests without end', async () => {
    const statuses: number[] = []
    await othersAreAnswered(stage, async () => {
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
