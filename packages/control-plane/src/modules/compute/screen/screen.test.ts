import { keyboardAnswerSeconds, type ScreenSeats, screenViewersMax } from '@gantry/api/compute/screen.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joined } from '@gantry/control-plane/fleet/rfb/client-messages'
import { raiseRolesEpoch } from '@gantry/control-plane/authz/held-roles'
import {
  type Caller,
  eventually as patiently,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { RfbClient } from '@gantry/control-plane/testing/rfb-client'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  await running('seen')
})
afterAll(() => bed.stop())

const eventually = <Value>(look: () => Promise<Value>, holds: (value: Value) => boolean) =>
  patiently(look, holds, 15_000)
const path = (name: string, query = '') =>
  `/ext/v1/instances/${name}/screen/stream?project=playground${query}`
async function running(name: string): Promise<void> {
  const body = { name, description: '', ncpus: 1, memory: GiB, hostname: name, auto_restart_policy: 'never' }
  await me.post('/v1/instances?project=playground', body)
  await eventually(
    () => bed.db.selectFrom('simulated_vm').select('id').execute(),
    (vms) => vms.length > 0,
  )
  bed.pass(3100)
  await eventually(
    async () => (await me.get(`/v1/instances/${name}?project=playground`)).body.run_state,
    (state) => state === 'running',
  )
}

interface Options {
  query?: string
  address?: string
  /** It takes nothing of what is sent to it. */
  neverReads?: boolean
}

/** A viewer in its browser. */
async function watch(
  who: Caller,
  name = 'seen',
  { query = '', address = '127.0.0.1', neverReads }: Options = {},
) {
  const request = new Request(`http://localhost${path(name, query)}`, { headers: { cookie: who.cookie } })
  const accepted = await bed.plane.upgrade(request, { address })
  if (accepted instanceof Response) throw new Error(`the upgrade answered ${accepted.status}`)
  let closed: { code: number; reason: string } | undefined
  let seats: ScreenSeats | undefined
  let received = 0
  const hears: ((bytes: Uint8Array) => void)[] = []
  const ends: (() => void)[] = []
  const send = (channel: number, bytes: Uint8Array): void => {
    for (const hear of hears) hear(joined(Uint8Array.of(channel), bytes))
  }
  const rfb = new RfbClient((bytes) => send(0, bytes))
  const end = (code: number, reason: string): void => {
    closed ??= { code, reason }
    for (const ended of ends) ended()
  }
  accepted({
    send(bytes) {
      received += bytes.length
      if (bytes[0] === 1) seats = JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as ScreenSeats
      else rfb.receive(bytes.subarray(1))
    },
    close: end,
    onBytes: (listener) => void hears.push(listener),
    onClose: (listener) => void ends.push(listener),
    buffered: () => (neverReads ? 100 * 1024 * 1024 : 0),
  })
  return {
    rfb,
    send,
    say: (word: string) => send(1, new TextEncoder().encode(word)),
    seats: () => seats,
    received: () => received,
    closed: () => closed,
    leave: () => end(1000, 'left'),
    shows: (text: string) =>
      eventually(
        async () => rfb.text(),
        (shown) => shown.includes(text),
      ),
    isAtKeyboard: () =>
      eventually(
        async () => seats,
        (now) => now !== undefined && now.keyboard === now.you,
      ),
    ended: () =>
      eventually(
        async () => closed,
        (end) => end !== undefined,
      ),
  }
}
type Screen = Awaited<ReturnType<typeof watch>>
const stored = () => bed.db.selectFrom('screen_viewer').select(['id', 'has_keyboard']).execute()
/** Everybody leaves. */
async function leave(...screens: Screen[]): Promise<void> {
  for (const screen of screens) screen.leave()
  await eventually(stored, (seats) => seats.length === 0)
}
const collaborator = (name: string) => bed.addUser(name, { roles: [{ at: 'silo', role: 'collaborator' }] })

describe('the screen of an instance', () => {
  test('shows what the machine shows, and types what is typed', async () => {
    const screen = await watch(me)
    await screen.shows('seen login: ')
    expect(screen.rfb.text()).toMatch(/^ Simulated screen: /)
    await screen.isAtKeyboard()
    screen.rfb.type('root\rsecret\r')
    await screen.shows('root@seen:~#')
    expect(screen.rfb.text()).not.toContain('secret')
    screen.rfb.type('exit\r')
    await screen.shows('exit\nlogout\n\nLinux seen ttyS0\n\nseen login: ')
    await leave(screen)
  })

  test('needs the role that a serial console needs', async () => {
    await expect(watch(await bed.signIn('viewer'))).rejects.toThrow('answered 403')
    await expect(watch(me, 'nobody')).rejects.toThrow('answered 404')
  })

  test('is audited from beginning to end', async () => {
    const records = () =>
      bed.db
        .selectFrom('audit')
        .select('details')
        .where('operation_id', '=', 'instance_screen_stream')
        .orderBy('time_completed', 'desc')
        .limit(2)
        .execute()
    const screen = await watch(me)
    await screen.shows('login')
    await leave(screen)
    const [end] = await eventually(records, ([last]) => JSON.stringify(last?.details).includes('"end"'))
    expect(end?.details).toMatchObject({ event: 'end', instance: 'seen', reason: null })
  })

  test('has one viewer at its keyboard, who hands it over or keeps it', async () => {
    const other = await collaborator('other-viewer')
    const first = await watch(me)
    await first.isAtKeyboard()
    const second = await watch(other)
    await second.shows('login: ')
    const both = await eventually(
      async () => second.seats(),
      (seats) => seats?.viewers.length === 2,
    )
    expect(both).toMatchObject({ keyboard: first.seats()?.you, asking: null })
    // Who only watches types nothing.
    second.rfb.type('quiet')
    first.rfb.type('loud')
    await second.shows('login: loud')
    expect(first.rfb.text()).not.toContain('quiet')

    second.say('ask')
    await eventually(
      async () => first.seats()?.asking,
      (asking) => asking === second.seats()?.you,
    )
    expect(first.seats()?.seconds).toBe(keyboardAnswerSeconds)
    first.say('keep')
    await eventually(
      async () => second.seats()?.asking,
      (asking) => asking === null,
    )
    second.say('ask')
    await eventually(
      async () => first.seats()?.asking,
      (asking) => asking !== null,
    )
    first.say('hand over')
    await second.isAtKeyboard()
    second.rfb.type('-handed')
    await first.shows('loud-handed')
    first.rfb.type('late')
    second.rfb.type('-end')
    await first.shows('loud-handed-end')

    // Without an answer it changes hands after a while, and with its holder's end at once.
    first.say('ask')
    await eventually(
      async () => second.seats()?.asking,
      (asking) => asking !== null,
    )
    bed.pass(keyboardAnswerSeconds * 1000)
    await first.isAtKeyboard()
    second.say('ask')
    await eventually(
      async () => first.seats()?.asking,
      (asking) => asking !== null,
    )
    first.leave()
    await second.isAtKeyboard()
    second.rfb.key(0xffe3, true)
    second.rfb.type('c')
    await leave(second)
  })

  test('lets the keys go that were held by who lost the keyboard', async () => {
    const [first, second] = [await watch(me), await watch(me)]
    await first.isAtKeyboard()
    await second.shows('login: ')
    first.rfb.key(0xffe3, true)
    first.rfb.type('c')
    first.say('release')
    second.say('ask')
    await second.isAtKeyboard()
    second.say('release')
    first.say('ask')
    await first.isAtKeyboard()
    // Not Ctrl+A.
    first.rfb.type('a')
    expect(await first.shows('login: a')).toContain('login: a')
    first.rfb.key(0xff08, true)
    await leave(first, second)
  })

  test('may be watched without the keyboard', async () => {
    const screen = await watch(me, 'seen', { query: '&view_only=true' })
    await screen.shows('login')
    await eventually(
      async () => screen.seats(),
      (seats) => seats?.keyboard === null,
    )
    screen.rfb.type('x')
    screen.say('ask')
    await screen.isAtKeyboard()
    screen.say('release')
    const seats = await eventually(
      async () => screen.seats(),
      (now) => now?.keyboard === null,
    )
    expect(seats?.viewers).toHaveLength(1)
    await leave(screen)
  })

  test('has room for a number of viewers, of whom one is at the keyboard', async () => {
    const people = [me, await collaborator('crowd')]
    const screens = await Promise.all(
      Array.from({ length: screenViewersMax + 4 }, (_, index) => watch(people[index % 2] ?? me)),
    )
    await eventually(
      async () => screens.filter((screen) => screen.closed() || screen.seats()).length,
      (count) => count === screens.length,
    )
    const refused = screens.flatMap((screen) => screen.closed() ?? [])
    expect(refused).toEqual(
      Array(4).fill({
        code: 1013,
        reason: `This screen has ${screenViewersMax} viewers, the maximum. Try again later.`,
      }),
    )
    expect((await stored()).filter((seat) => seat.has_keyboard)).toHaveLength(1)
    const open = screens.filter((screen) => !screen.closed())
    for (const screen of open) await screen.shows('login: ')
    // All ask at once; each ends up knowing the same holder.
    for (const screen of open) screen.say('ask')
    await eventually(
      async () => new Set(open.map((screen) => screen.seats()?.asking)).size,
      (count) => count === 1,
    )
    await leave(...open)
  })
})

describe('a screen ends', () => {
  const mayNot = { code: 1008, reason: 'you may no longer use this console' }

  test('with the role, the session and the address that it rests on', async () => {
    const project = (await me.get('/v1/projects/playground')).body.id
    const guest = await bed.addUser('screen-guest', { roles: [{ at: { project }, role: 'collaborator' }] })
    const leaver = await collaborator('screen-leaver')
    const [local, guests, leavers, elsewhere] = await Promise.all([
      watch(me),
      watch(guest),
      watch(leaver),
      watch(me, 'seen', { address: '192.0.2.9' }),
    ])
    for (const screen of [local, guests, leavers, elsewhere]) await screen.shows('login: ')
    await bed.db.deleteFrom('role_assignment').where('identity_id', '=', guest.id).execute()
    await raiseRolesEpoch(bed.db)
    await leaver.post('/v1/logout')
    const admin = await bed.signIn('admin')
    const allow = (allowed_ips: object) =>
      admin.call('PUT', '/v1/system/networking/allow-list', { allowed_ips })
    await allow({ allow: 'list', ips: ['198.51.100.0/24'] })
    await allow({ allow: 'any' })
    for (const screen of [guests, leavers, elsewhere]) expect(await screen.ended()).toEqual(mayNot)
    expect(local.closed()).toBeUndefined()
    await leave(local)
  })

  test('before another key of who signed out is typed', async () => {
    const local = await watch(me, 'seen', { query: '&view_only=true' })
    await local.shows('login: ')
    const typist = await collaborator('screen-typist')
    const screen = await watch(typist)
    await screen.isAtKeyboard()
    screen.rfb.type('early')
    await local.shows('early')
    await typist.post('/v1/logout')
    screen.rfb.type('late')
    expect(await screen.ended()).toEqual(mayNot)
    local.say('ask')
    await local.isAtKeyboard()
    local.rfb.type('-end')
    await local.shows('early-end')
    for (let count = 0; count < 9; count++) local.rfb.type('\u{7f}')
    await leave(local)
  })

  test.each([
    ['speaks no RFB', (screen: Screen) => screen.send(0, Uint8Array.of(77)), 'This is not RFB.'],
    [
      'sends a megabyte',
      (screen: Screen) => screen.send(0, new Uint8Array(1024 * 1024)),
      'This message is too long for a screen.',
    ],
    [
      'knows other channels',
      (screen: Screen) => screen.send(7, new Uint8Array(3)),
      'This screen does not know such a message.',
    ],
    [
      'says other words',
      (screen: Screen) => screen.say('please'),
      'This screen does not know such a message.',
    ],
  ])('when its viewer %s', async (_, act, reason) => {
    const screen = await watch(me)
    await screen.shows('login')
    act(screen)
    expect(await screen.ended()).toEqual({ code: 1008, reason })
    await leave()
  })

  test('costs a bounded amount while its viewer never reads', async () => {
    const screen = await watch(me, 'seen', { neverReads: true })
    await eventually(
      async () => screen.seats(),
      (seats) => seats !== undefined,
    )
    const before = screen.received()
    for (let count = 0; count < 1000; count++) screen.rfb.request(false)
    screen.rfb.type('unread')
    const local = await watch(me)
    await local.shows('login')
    expect(screen.received() - before).toBeLessThan(2000)
    await leave(screen, local)
  })

  test('when the instance stops, which has no screen then', async () => {
    const screen = await watch(me)
    await screen.shows('login')
    await me.post('/v1/instances/seen/stop?project=playground')
    expect(await screen.ended()).toMatchObject({
      code: 1000,
      reason: expect.stringMatching(/^instance is stop(ping|ped) and has no screen$/),
    })
    const late = await watch(me)
    expect(late.closed()).toMatchObject({ code: 1011, reason: expect.stringMatching(/^instance is stop/) })
    await leave()
  })
})
