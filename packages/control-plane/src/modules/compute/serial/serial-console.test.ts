import type { RunState } from '@gantry/api/compute/instance.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raiseRolesEpoch } from '@gantry/control-plane/authz/held-roles'
import { appendSerial, readSerialBytes } from '@gantry/control-plane/fleet/simulated/serial-log'
import { defaultSettings } from '@gantry/control-plane/settings'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { SerialLines } from './serial-lines.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
let bed: TestBed
let me: Caller
let vmm: string
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  vmm = await running('talker')
  // The whole boot has been printed, so the numbers below are fixed.
  await eventually(read, (text) => text.endsWith('login: '))
})
afterAll(() => bed.stop())

const at = (name: string, rest: string, query = '') =>
  `/v1/instances/${name}${rest}?project=playground${query}`
const row = (name: string) =>
  bed.db.selectFrom('instance').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
async function running(name: string): Promise<string> {
  const body = { name, description: '', ncpus: 1, memory: GiB, hostname: name, auto_restart_policy: 'never' }
  await me.post('/v1/instances?project=playground', body)
  await eventually(
    () => bed.db.selectFrom('simulated_vm').select('id').execute(),
    (vms) => vms.length > 0,
  )
  bed.pass(3100)
  const { vmm_id } = await eventually(
    () => row(name),
    (instance) => instance.run_state === 'running',
  )
  return vmm_id ?? ''
}
const ask = (query: string, name = 'talker') => me.get(at(name, '/serial-console', query))
const text = (data: number[]) => new TextDecoder().decode(Uint8Array.from(data))
const read = async () => text((await ask('&from_start=0&max_bytes=1000000')).body.data)
const allow = async (allowed_ips: object) =>
  (await bed.signIn('admin')).call('PUT', '/v1/system/networking/allow-list', { allowed_ips })
const said = ({ status, body }: { status: number; body: { message?: string } }) => `${status} ${body.message}`

describe('reading the output', () => {
  test('starts and ends at the requested bytes', async () => {
    const whole = await ask('&from_start=0&max_bytes=1000000')
    const { data, last_byte_offset: end } = whole.body
    expect(end).toBe(data.length)
    const part = async (query: string) => (await ask(query)).body
    expect(await part('&from_start=0&max_bytes=7')).toEqual({ data: data.slice(0, 7), last_byte_offset: 7 })
    expect(await part('&from_start=7&max_bytes=0')).toEqual({ data: [], last_byte_offset: 7 })
    expect(await part(`&from_start=${end - 3}`)).toEqual({ data: data.slice(-3), last_byte_offset: end })
    expect(await part('&most_recent=5')).toEqual({ data: data.slice(-5), last_byte_offset: end })
    expect(await part('&most_recent=5&max_bytes=2')).toEqual({
      data: data.slice(-5, -3),
      last_byte_offset: end - 3,
    })
    expect(await part('&most_recent=0')).toEqual({ data: [], last_byte_offset: end })
    expect(await part('&most_recent=99999999&max_bytes=4')).toEqual({
      data: data.slice(0, 4),
      last_byte_offset: 4,
    })
    for (const beyond of [end, end + 1, Number.MAX_SAFE_INTEGER])
      expect(await part(`&from_start=${beyond}`)).toEqual({ data: [], last_byte_offset: end })
    expect((await part(`&from_start=1&max_bytes=${Number.MAX_SAFE_INTEGER}`)).data).toEqual(data.slice(1))
  })

  test('accepts one starting point', async () => {
    const message = '400 exactly one of from_start and most_recent must be given'
    expect(said(await ask(''))).toBe(message)
    expect(said(await ask('&from_start=0&most_recent=0'))).toBe(message)
    expect((await ask('&from_start=-1')).status).toBe(400)
    expect((await ask('&from_start=9007199254740993')).status).toBe(400)
  })

  test.each<[RunState, boolean, string]>([
    ['stopped', false, '400 instance is stopped and has no active serial console server'],
    ['failed', false, '400 instance is failed and has no active serial console server'],
    ['creating', false, '400 instance is creating and has no active serial console server'],
    ['starting', true, '400 cannot connect to serial console of instance in state "starting"'],
    ['stopping', true, '400 cannot connect to serial console of instance in state "stopping"'],
    ['running', true, '200 undefined'],
    ['rebooting', true, '200 undefined'],
    ['migrating', true, '200 undefined'],
  ])('of an instance that is %s', async (run_state, has, answer) => {
    const set = (values: { run_state: RunState; vmm_id: string | null }) =>
      bed.db.updateTable('instance').set(values).where('name', '=', 'talker').execute()
    await set({ run_state, vmm_id: has ? vmm : null })
    const looked = await ask('&from_start=0')
    const line = await bed.open(me, at('talker', '/serial-console/stream'))
    const closed = await eventually(
      async () => line.closed(),
      (end) => answer.startsWith('200') || end !== undefined,
    )
    line.close()
    await set({ run_state: 'running', vmm_id: vmm })
    expect(said(looked)).toBe(answer)
    // A browser cannot read a refused upgrade, so the close frame carries the reason.
    expect(closed).toEqual(answer.startsWith('200') ? undefined : { code: 1011, reason: answer.slice(4) })
  })

  test('needs read permission, while the interactive console needs more', async () => {
    const viewer = await bed.signIn('viewer')
    expect((await viewer.get(at('talker', '/serial-console', '&from_start=0'))).status).toBe(200)
    await expect(bed.open(viewer, at('talker', '/serial-console/stream'))).rejects.toThrow('answered 403')
    await expect(bed.open(me, at('nobody', '/serial-console/stream'))).rejects.toThrow('answered 404')
  })
})

describe('the interactive console', () => {
  const open = (query = '') => bed.open(me, at('talker', '/serial-console/stream', query))
  const shows = (line: Awaited<ReturnType<typeof open>>, text: string) =>
    eventually(
      async () => line.text(),
      (all) => all.includes(text),
    )

  test('replays the requested amount, or everything', async () => {
    const whole = await read()
    const [all, some, none] = [await open(), await open('&most_recent=7'), await open('&most_recent=0')]
    await eventually(
      async () => all.text(),
      (text) => text === whole,
    )
    await eventually(
      async () => some.text(),
      (text) => text === whole.slice(-7),
    )
    expect(none.text()).toBe('')
    for (const line of [all, some, none]) line.close()
  })

  test('shows the same to all viewers, and accepts input from each', async () => {
    const [one, other] = [await open('&most_recent=0'), await open('&most_recent=0')]
    one.type('ro')
    await shows(other, 'ro')
    other.type('ot\rsecret\r')
    await shows(one, 'root@talker')
    one.type('echo \u{1f980} hällo\r')
    await shows(other, '\u{1f980} hällo')
    expect(one.text()).toBe(other.text())
    expect(one.text()).not.toContain('secret')
    // Meaningless bytes have no effect.
    one.type('\0\x1b[999~\x1bO')
    one.type('\x03')
    await shows(other, '^C')
    for (const line of [one, other]) line.close()
  })

  test('preserves the order of keystrokes, and drops excessive input', async () => {
    expect.hasAssertions()
    const line = await open('&most_recent=0')
    const words = Array.from({ length: 100 }, (_, index) => `w${index}`)
    line.type('echo ')
    for (const word of words) line.type(`${word} `)
    line.type('\r')
    await shows(line, `\r\n${words.join(' ')}\r\n`)
    for (let n = 0; n < 50; n++) line.type('x'.repeat(10_000))
    line.type('\x03')
    expect((await ask('&most_recent=20000')).status).toBe(200)
    line.close()
  })

  test('is closed with the change that revokes the role or ends the session', async () => {
    const project = (await me.get('/v1/projects/playground')).body.id
    const guest = await bed.addUser('line-guest', { roles: [{ at: { project }, role: 'collaborator' }] })
    const leaver = await bed.addUser('line-leaver', { roles: [{ at: 'silo', role: 'admin' }] })
    const lines = await Promise.all(
      [guest, leaver, me].map((who) =>
        bed.open(who, at('talker', '/serial-console/stream', '&most_recent=0')),
      ),
    )
    await bed.db.deleteFrom('role_assignment').where('identity_id', '=', guest.id).execute()
    await raiseRolesEpoch(bed.db)
    await leaver.post('/v1/logout')
    await eventually(
      async () => lines.map((line) => line.closed()?.code),
      ([one, other]) => one !== undefined && other !== undefined,
    )
    expect(lines.map((line) => line.closed())).toEqual([
      { code: 1008, reason: 'you may no longer use this console' },
      { code: 1008, reason: 'you may no longer use this console' },
      undefined,
    ])
    lines[2]?.close()
  })

  test.each([
    [
      'whose role was revoked',
      async (typist: { id: string }) => {
        await bed.db.deleteFrom('role_assignment').where('identity_id', '=', typist.id).execute()
        await raiseRolesEpoch(bed.db)
      },
    ],
    ['who signed out', (typist: Caller) => typist.post('/v1/logout')],
    [
      'who was deleted',
      async (typist: { id: string }) =>
        bed.db
          .updateTable('silo_user')
          .set({ time_deleted: new Date() })
          .where('id', '=', typist.id)
          .execute(),
    ],
  ])('takes no keystroke of a user %s', async (words, end) => {
    const typist = await bed.addUser(`typist-${words.replaceAll(' ', '-')}`, {
      roles: [{ at: 'silo', role: 'collaborator' }],
    })
    const local = await open('&most_recent=0')
    const line = await bed.open(typist, at('talker', '/serial-console/stream', '&most_recent=0'))
    line.type('early')
    await shows(local, 'early')
    await end(typist)
    // At once: before any check that the passing of time would cause.
    line.type('late')
    await eventually(
      async () => line.closed(),
      (closed) => closed !== undefined,
    )
    expect(line.closed()).toEqual({ code: 1008, reason: 'you may no longer use this console' })
    local.type('-end')
    await shows(local, '-end')
    expect(local.text()).not.toContain('late')
    local.type('\x03')
    local.close()
  })

  test('stays open when the roles of others change', async () => {
    const typist = await bed.addUser('typist-steady', { roles: [{ at: 'silo', role: 'collaborator' }] })
    const line = await bed.open(typist, at('talker', '/serial-console/stream', '&most_recent=0'))
    for (let count = 0; count < 50; count++) line.type('y')
    await shows(line, 'y'.repeat(50))
    // Another user's roles change: the user is identified again, and stays.
    await raiseRolesEpoch(bed.db)
    line.type('z')
    await shows(line, 'z')
    expect(line.closed()).toBeUndefined()
    line.type('\x03')
    line.close()
  })

  test('is closed as soon as the allow list leaves out its address', async () => {
    const elsewhere = await bed.open(
      me,
      at('talker', '/serial-console/stream', '&most_recent=0'),
      '192.0.2.9',
    )
    const local = await open('&most_recent=0')
    await allow({ allow: 'list', ips: ['198.51.100.0/24'] })
    expect(elsewhere.closed()).toEqual({ code: 1008, reason: 'you may no longer use this console' })
    expect(local.closed()).toBeUndefined()
    await allow({ allow: 'any' })
    local.close()
  })

  test('takes no more keystrokes once closed, however long the other side takes to close', async () => {
    const local = await open('&most_recent=0')
    const path = at('talker', '/serial-console/stream', '&most_recent=0')
    const request = new Request(`http://localhost${path}`, { headers: { cookie: me.cookie } })
    const accepted = await bed.plane.upgrade(request, { address: '192.0.2.9' })
    if (accepted instanceof Response) throw new Error(await accepted.text())
    const types: ((bytes: Uint8Array) => void)[] = []
    const closes: (() => void)[] = []
    accepted({
      send() {},
      close() {},
      onBytes: (listener) => void types.push(listener),
      onClose: (listener) => void closes.push(listener),
      buffered: () => 0,
    })
    const type = (text: string) => types.forEach((listener) => listener(new TextEncoder().encode(text)))
    type('early')
    await shows(local, 'early')
    await allow({ allow: 'list', ips: ['198.51.100.0/24'] })
    type('late')
    local.type('-end')
    await shows(local, '-end')
    expect(local.text()).not.toContain('late')
    closes.forEach((listener) => listener())
    local.type('\x03')
    await allow({ allow: 'any' })
    local.close()
  })

  test('is limited per user, with an explanation', async () => {
    const { consoles_per_person: limit } = defaultSettings.limits
    const lines = await Promise.all(Array.from({ length: limit + 5 }, () => open('&most_recent=0')))
    const refused = lines.filter((line) => line.closed())
    expect(refused.map((line) => line.closed())).toEqual(
      Array(5).fill({
        code: 1013,
        reason: `You have ${limit} serial consoles open, the maximum. Close one first.`,
      }),
    )
    // Other users are unaffected, and closing one makes room.
    const admin = await bed.signIn('admin')
    const other = await bed.open(admin, at('talker', '/serial-console/stream', '&most_recent=0'))
    expect(other.closed()).toBeUndefined()
    lines.find((line) => !line.closed())?.close()
    const next = await open('&most_recent=0')
    expect(next.closed()).toBeUndefined()
    for (const line of [...lines, other, next]) line.close()
  })

  test('is limited per instance', async () => {
    const { consoles_per_person: perPerson, consoles_per_machine: limit } = defaultSettings.limits
    const people = await Promise.all(
      Array.from({ length: Math.ceil(limit / perPerson) + 1 }, (_, index) =>
        bed.addUser(`watcher-${index}`, { roles: [{ at: 'silo', role: 'collaborator' }] }),
      ),
    )
    const lines = []
    for (const person of people)
      for (let count = 0; count < perPerson; count++)
        lines.push(await bed.open(person, at('talker', '/serial-console/stream', '&most_recent=0')))
    expect(lines.filter((line) => !line.closed())).toHaveLength(limit)
    expect(lines.at(-1)?.closed()).toEqual({
      code: 1013,
      reason: `This serial console has ${limit} connections open, the maximum. Try again later.`,
    })
    for (const line of lines) line.close()
  })

  test('is read once for all its viewers', async () => {
    const asked = { states: 0, reads: 0 }
    const ending = new AbortController()
    const services = testServices({ db: bed.db, settings: defaultSettings, ending: ending.signal })
    const serial: typeof services.fleet.serial = {
      ...services.fleet.serial,
      written: async () => {
        asked.states++
        return new Map([[vmm, 10]])
      },
      read: async (_, from) => {
        asked.reads++
        return { from, bytes: new Uint8Array(10 - from) }
      },
    }
    const lines = new SerialLines({ ...services, fleet: { ...services.fleet, serial } })
    let received = 0
    for (let count = 0; count < 40; count++) {
      const socket = {
        send: () => received++,
        close: () => {},
        onBytes: () => {},
        onClose: () => {},
        buffered: () => 0,
      }
      lines.watch(vmm, { socket, userId: `user-${count}`, at: 0, access: undefined })
    }
    await eventually(
      async () => received,
      (count) => count === 40,
    )
    ending.abort()
    // One extra round may have begun before all viewers joined.
    expect(asked.reads).toBeLessThanOrEqual(2)
    expect(asked.states).toBeLessThan(10)
  })

  test('closes when the instance stops, after its last output', async () => {
    const url = '/ext/v1/instances/talker/last-output?project=playground'
    expect((await me.get(url)).body).toEqual({ output: null })
    const line = await open()
    await shows(line, 'login: ')
    await me.post(at('talker', '/stop'))
    const end = await eventually(
      async () => line.closed(),
      (closed) => closed !== undefined,
    )
    expect(end).toMatchObject({ code: 1000, reason: expect.stringMatching(/^instance is stop/) })
    line.type('too late')
    bed.pass(2000)
    await eventually(
      () => row('talker'),
      (instance) => instance.run_state === 'stopped',
    )
    await eventually(
      () => bed.db.selectFrom('serial_chunk').select('vmm_id').execute(),
      (chunks) => chunks.length === 0,
    )

    // The output stays readable, for everyone who may see the instance, until it is deleted.
    const { body } = await me.get(url)
    expect(Date.parse(body.output.time)).not.toBeNaN()
    expect(atob(body.output.data)).toMatch(/root@talker:~# $/)
    expect((await (await bed.signIn('viewer')).get(url)).body).toEqual(body)
    await me.call('DELETE', at('talker', ''))
    expect(await bed.db.selectFrom('last_output').select('instance_id').execute()).toEqual([])
  })
})

test('the first and the last MiB are retained, and the gap is visible', async () => {
  const id = crypto.randomUUID()
  const cx = { now: () => new Date() }
  const block = 96 * 1024
  let written = 0
  const stamp = (offset: number) => (offset * 7) % 251
  for (let n = 0; n < 80; n++) {
    const output = Uint8Array.from({ length: block }, (_, index) => stamp(written + index))
    await bed.db.transaction().execute((plain) => appendSerial({ cx, plain }, id, written, output))
    written += block
  }
  const at = async (from: number, max: number) => {
    const read = await readSerialBytes(bed.db, id, from, max)
    expect(read.bytes.every((byte, index) => byte === stamp(read.from + index))).toBe(true)
    return [read.from, read.bytes.length]
  }
  expect(await at(0, 10)).toEqual([0, 10])
  expect(await at(MiB - 5, 10)).toEqual([MiB - 5, 5])
  // A read in the gap reports where output continues.
  const [next = 0] = await at(2 * MiB, 10)
  expect(next).toBeGreaterThan(written - MiB - 2 * 64 * 1024)
  expect(next).toBeLessThanOrEqual(written - MiB)
  expect(await at(written - 10, 100)).toEqual([written - 10, 10])
  expect(await at(written, 100)).toEqual([written, 0])
  const [from, length = 0] = await at(0, 10 * MiB)
  expect(from).toBe(0)
  expect(length).toBeGreaterThanOrEqual(MiB)
  expect(length).toBeLessThan(MiB + 2 * 64 * 1024)
  const { rows } = {
    rows: await bed.db
      .selectFrom('serial_chunk')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('vmm_id', '=', id)
      .execute(),
  }
  expect(rows[0]?.n).toBeLessThan(50)
})
