import { isRead } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Row } from './db/tables.ts'
import { deviceOf } from './modules/sign-in/sign-in.fixtures.ts'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'
import { opOf } from './testing/operations.ts'

const GiB = 1024 ** 3
let bed: TestBed
let me: Caller
let hashed: string[]
beforeAll(async () => {
  hashed = []
  bed = await testControlPlane({
    environment: {
      passwords: {
        hash: async (text) => `plain:${text}`,
        verify: async (hash, text) => {
          hashed.push(hash)
          return hash === `plain:${text}`
        },
      },
    },
  })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const audits = async (): Promise<Row<'audit'>[]> =>
  await bed.db.selectFrom('audit').selectAll().orderBy('time_completed').orderBy('id').execute()
async function audited(run: () => Promise<unknown>): Promise<Row<'audit'>[]> {
  const before = new Set((await audits()).map((row) => row.id))
  await run()
  return (await audits()).filter((row) => !before.has(row.id))
}
const brief = (rows: Row<'audit'>[]) =>
  rows.map((row) => `${row.operation_id} ${row.http_status_code} ${row.error_code ?? 'ok'}`)

describe('the audit log', () => {
  const blank = { type: 'blank', block_size: 512 }
  const disk = { name: 'audited', description: '', size: GiB, disk_source: blank }
  const machine = { name: 'audited', description: '', ncpus: 1, memory: GiB, hostname: 'a' }
  const it = 'project=playground'
  test.each<[method: string, path: string, body: object | undefined, expected: string[]]>([
    ['POST', '/v1/projects', { name: 'audited', description: '' }, ['project_create 201 ok']],
    [
      'POST',
      '/v1/projects',
      { name: 'audited', description: '' },
      ['project_create 400 ObjectAlreadyExists'],
    ],
    ['PUT', '/v1/projects/audited', { description: 'x' }, ['project_update 200 ok']],
    ['PUT', '/v1/projects/audited/policy', { role_assignments: [] }, ['project_policy_update 200 ok']],
    ['DELETE', '/v1/projects/audited', undefined, ['project_delete 400 InvalidRequest']],
    ['DELETE', '/v1/projects/nobody', undefined, ['project_delete 404 ObjectNotFound']],
    ['POST', `/v1/disks?${it}`, disk, ['disk_create 201 ok']],
    [
      'POST',
      `/v1/snapshots?${it}`,
      { name: 'audited', description: '', disk: 'audited' },
      ['snapshot_create 201 ok'],
    ],
    ['DELETE', `/v1/snapshots/audited?${it}`, undefined, ['snapshot_delete 204 ok']],
    ['DELETE', `/v1/disks/audited?${it}`, undefined, ['disk_delete 204 ok']],
    ['POST', `/v1/instances?${it}`, { ...machine, start: false }, ['instance_create 201 ok']],
    // The intent is recorded first; it is not a request of its own.
    ['POST', `/v1/instances/audited/start?${it}`, undefined, ['instance_start 202 ok']],
    ['POST', `/v1/instances/audited/stop?${it}`, undefined, ['instance_stop 202 ok']],
    ['POST', `/v1/instances/audited/stop?${it}`, undefined, ['instance_stop 202 ok']],
    ['POST', `/v1/instances?${it}`, { ...machine, memory: 1 }, ['instance_create 400 InvalidValue']],
    [
      'POST',
      '/ext/v1/faults',
      { kind: 'vm_crash', instance_id: crypto.randomUUID() },
      ['fault_inject 403 Forbidden'],
    ],
    // It only reads.
    ['POST', '/ext/v1/can', { checks: [] }, []],
    ['GET', '/v1/projects', undefined, []],
    ['GET', '/v1/projects/nobody', undefined, []],
    ['POST', '/v1/projects', { name: 7 }, []],
    ['PATCH', '/v1/projects', undefined, []],
    ['POST', '/v1/nothing', {}, []],
  ])('%s %s %j', async (method, path, body, expected) => {
    let id: string | null = null
    const rows = await audited(async () => {
      id = (await me.call(method, path, body, { 'user-agent': 'x'.repeat(600) })).headers.get('x-request-id')
    })
    expect(brief(rows)).toEqual(expected)
    for (const row of rows)
      expect(row).toMatchObject({
        request_id: id,
        request_uri: path,
        source_ip: '127.0.0.1',
        user_agent: 'x'.repeat(256),
        auth_method: 'session_cookie',
        actor: { kind: 'silo_user' },
      })
  })

  test('a refused start is recorded as one refusal', async () => {
    const silo = (await me.get('/v1/me')).body.silo_id
    const quota = (cpus: number) =>
      bed.db.updateTable('silo_quotas').set({ cpus }).where('silo_id', '=', silo).execute()
    await me.post(`/v1/instances?${it}`, { ...machine, name: 'refused', start: false })
    await quota(0)
    const rows = await audited(() => me.post(`/v1/instances/refused/start?${it}`))
    await quota(256)
    expect(brief(rows)).toEqual(['instance_start 507 InsufficientCapacity'])
    expect(rows[0]?.error_message).toContain('vCPU Limit Exceeded')
  })

  test('records every response: a refusal that cannot be recorded is not sent', async () => {
    const again = { name: 'playground', description: '' }
    await sql`ALTER TABLE audit RENAME TO audit_away`.execute(bed.db)
    const { length } = bed.logged
    const unrecorded = await me.post('/v1/projects', again)
    await sql`ALTER TABLE audit_away RENAME TO audit`.execute(bed.db)
    expect([unrecorded.status, unrecorded.body.error_code]).toEqual([500, 'Internal'])
    const said = bed.logged.splice(length).map(({ message }) => message)
    expect(said).toContain('an audit record was not written')
    expect((await me.post('/v1/projects', again)).body.error_code).toBe('ObjectAlreadyExists')
  })

  test('names no user for a failed sign-in, and contains no secrets', async () => {
    const rows = await audited(async () => {
      await bed.anonymous.post('/v1/login/demo/local', { username: 'viewer', password: 'correct horse' })
      await bed.anonymous.post('/v1/login/demo/local', { username: 'viewer', password: 'battery staple' })
      await bed.anonymous.post('/v1/login/nowhere/local', { username: 'viewer', password: 'battery staple' })
      await bed.anonymous.post('/v1/logout')
      const who = await bed.signIn('viewer')
      await who.post('/v1/logout')
    })
    // Two requests may end in the same millisecond, so their order is undefined.
    expect(rows.map((row) => `${brief([row])[0]} ${row.actor.kind}`).sort()).toEqual([
      'login_local 204 ok unauthenticated',
      'login_local 204 ok unauthenticated',
      'login_local 401 Unauthorized unauthenticated',
      'login_local 401 Unauthorized unauthenticated',
      'logout 204 ok silo_user',
      'logout 204 ok unauthenticated',
    ])
    const everything = JSON.stringify([
      await audits(),
      await bed.db.selectFrom('change').selectAll().execute(),
      await bed.db.selectFrom('console_session').selectAll().execute(),
      bed.logged,
    ])
    const token = me.cookie.replace('session=', '')
    for (const secret of ['correct horse', 'battery staple', token]) expect(everything).not.toContain(secret)
  })

  test('anonymous requests leave no rows', async () => {
    const rows = await audited(async () => {
      await bed.anonymous.post('/v1/projects', { name: 'stranger', description: '' })
      await bed.anonymous.call('DELETE', '/v1/projects/playground')
      await bed.anonymous.call('DELETE', '/v1/projects/playground', undefined, { cookie: 'session=guessed' })
    })
    expect(rows).toEqual([])
  })
})

describe('a sign-in', () => {
  const signIn = (silo: string, username: string, password: string) =>
    bed.anonymous.post(`/v1/login/${silo}/local`, { username, password })

  test('answers every mistake alike, with the same amount of work', async () => {
    const siloId = (await me.get('/v1/me')).body.silo_id
    const row = { time_created: new Date(), time_modified: new Date(), silo_id: siloId }
    const ghost = { ...row, id: crypto.randomUUID(), external_id: 'ghost' }
    await bed.db
      .insertInto('silo_user')
      .values({ ...ghost, time_deleted: new Date() })
      .execute()
    await bed.db
      .insertInto('silo_user')
      .values({ ...row, id: crypto.randomUUID(), external_id: 'keyless' })
      .execute()
    const answers = []
    for (const [user, password] of [
      ['viewer', 'wrong'],
      ['nobody', 'wrong'],
      ['ghost', 'correct horse'],
      ['keyless', 'correct horse'],
      ['nobody', ''],
      // The decoy's own password must not work.
      ['nobody', 'nobody has this password'],
    ] as const) {
      const before = hashed.length
      const { status, body, headers } = await signIn('demo', user, password)
      expect(hashed.length - before, user).toBe(1)
      const { request_id: _, ...rest } = body
      answers.push(JSON.stringify([status, rest, [...headers.keys()].sort()]))
    }
    expect(new Set(answers).size).toBe(1)
  })

  test('accepts a password verbatim, up to 512 bytes', async () => {
    expect((await signIn('demo', 'viewer', 'é'.repeat(256))).status).toBe(401)
    const tooLong = await signIn('demo', 'viewer', 'é'.repeat(257))
    expect([tooLong.status, tooLong.body.message]).toEqual([
      400,
      expect.stringContaining('unsupported password: the password provided was too long'),
    ])
    for (const silo of ['demo%27', 'demo%00', 'DEMO', "'--", crypto.randomUUID()])
      expect((await signIn(silo, 'viewer', 'x')).status).toBe(400)
  })

  test('sets a cookie that only the server can read', async () => {
    const { status, body, headers } = await signIn('demo', 'viewer', 'correct horse')
    expect([status, body]).toEqual([204, undefined])
    expect(headers.getSetCookie()[0]).toMatch(
      /^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/,
    )
  })
})

describe('a session', () => {
  const meWith = (cookie: string, headers: Record<string, string> = {}) =>
    bed.anonymous.call('GET', '/v1/me', undefined, { cookie, ...headers })

  test('ends after eight hours without use, and after a day in any case', async () => {
    const who = await bed.signIn('viewer')
    bed.pass(7.9 * 3_600_000)
    expect((await who.get('/v1/me')).status).toBe(200)
    bed.pass(7.9 * 3_600_000)
    expect((await who.get('/v1/me')).status).toBe(200)
    bed.pass(7.9 * 3_600_000)
    expect((await who.get('/v1/me')).status).toBe(200)
    bed.pass(0.4 * 3_600_000)
    expect((await who.get('/v1/me')).status).toBe(401)
    const idle = await bed.signIn('viewer')
    bed.pass(8.1 * 3_600_000)
    expect((await idle.get('/v1/me')).status).toBe(401)
    // An invalid session is refused, but signing out of it still works.
    expect((await idle.post('/v1/logout')).status).toBe(204)
    me = await bed.signIn('member')
  })

  test('is opened only by its own cookie', async () => {
    const good = me.cookie
    const table: [string, number][] = [
      [good, 200],
      [`a=1; ${good}; b=2`, 200],
      [`sessions=x; xsession=y;${good}`, 200],
      [`${good}; session=other`, 200],
      [`session=other; ${good}`, 401],
      [good.toUpperCase(), 401],
      [`${good}x`, 401],
      [good.replace('session=', 'session=%20'), 401],
      ['session=', 401],
      ['session', 401],
      ["session=' OR 1=1 --", 401],
      [`session=${'a'.repeat(100_000)}`, 401],
      [Array.from({ length: 5000 }, (_, index) => `c${index}=x`).join('; '), 401],
      [`${Array.from({ length: 5000 }, (_, index) => `c${index}=x`).join('; ')}; ${good}`, 200],
      [';;;=;= ;', 401],
      ['', 401],
    ]
    for (const [cookie, status] of table)
      expect((await meWith(cookie)).status, cookie.slice(0, 80)).toBe(status)
    expect((await meWith('', { authorization: `Bearer ${good}` })).status).toBe(401)
    expect((await meWith('', { authorization: 'Basic !!!' })).status).toBe(401)
  })
})

test('a cross-site write is refused, whatever the operation', async () => {
  const origins: [string, number][] = [
    ['http://localhost', 201],
    ['http://localhost:8080', 403],
    ['https://localhost', 403],
    ['http://localhost.evil.example', 403],
    ['http://evil.example', 403],
    ['null', 403],
  ]
  let n = 0
  for (const [origin, status] of origins) {
    const body = { name: `origin-${++n}`, description: '', public_key: 'k' }
    expect((await me.call('POST', '/v1/me/ssh-keys', body, { origin })).status, origin).toBe(status)
  }
  const evil = { origin: 'http://evil.example' }
  expect((await me.call('GET', '/v1/me', undefined, evil)).status).toBe(200)
  expect((await me.call('POST', '/v1/logout', undefined, evil)).status).toBe(403)
  const login = { username: 'viewer', password: 'correct horse' }
  expect((await bed.anonymous.call('POST', '/v1/login/demo/local', login, evil)).status).toBe(403)
  const upgrade = new Request('http://localhost/v1/instances/x/serial-console/stream?project=playground', {
    headers: { ...evil, cookie: me.cookie },
  })
  const refused = await bed.plane.upgrade(upgrade, { address: '' })
  expect(refused instanceof Response && refused.status).toBe(403)

  const writes = (Object.keys(ops) as OpName[]).filter(
    (name) => !isRead(opOf(name).method) && !opOf(name).fromElsewhere,
  )
  const answers: string[] = []
  for (const name of writes) {
    const path = opOf(name).path.replaceAll(/\{\w+\}/g, 'any')
    answers.push(`${name} ${(await me.call(opOf(name).method, path, {}, evil)).status}`)
  }
  expect(answers).toEqual(writes.map((name) => `${name} 403`))
  expect((await me.get('/v1/me')).status).toBe(200)
})

test('a bearer token is not ambient: its origin is ignored, unless a session cookie is sent too', async () => {
  const evil = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
  const authorization = `Bearer ${(await deviceOf(bed, me)).token}`
  const write = async (caller: Caller, name: string, headers: Record<string, string>) => {
    const body = { name, description: '', public_key: 'k' }
    return (await caller.call('POST', '/v1/me/ssh-keys', body, headers)).status
  }
  expect(await write(bed.anonymous, 'by-token', { ...evil, authorization })).toBe(201)
  // The cookie would take precedence.
  expect(await write(me, 'by-both', { ...evil, authorization })).toBe(403)
  expect(await write(bed.anonymous, 'by-nobody', evil)).toBe(401)

  const upgrade = new Request('http://localhost/v1/instances/x/serial-console/stream?project=playground', {
    headers: { ...evil, authorization },
  })
  const refused = await bed.plane.upgrade(upgrade, { address: '' })
  expect(refused instanceof Response && refused.status).toBe(404)
})

test('a device signs in from any origin, because no cookie is involved', async () => {
  const begun = await bed.anonymous.call('POST', '/device/auth', `client_id=${crypto.randomUUID()}`, {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'http://elsewhere.example',
  })
  expect(begun.status).toBe(200)
})

test.each([
  ['/v1/../v1/me', 400],
  ['/v1/me/..', 400],
  ['/v1/./me', 400],
  ['/v1/%2e%2E/v1/me', 400],
  ['/v1/.%2e/v1/me', 400],
  ['/v1/me', 200],
  ['//v1//me/', 200],
])('a path with a dot segment is refused, wherever it was resolved: %s', async (path, status) => {
  const headers = { cookie: me.cookie }
  const peer = { address: '', path }
  const answer = await bed.plane.fetch(new Request('http://localhost/v1/me', { headers }), peer)
  expect(answer.status).toBe(status)
  const { message } = (await answer.json()) as { message?: string }
  expect(message).toBe(status === 400 ? 'invalid path encoding: dot-segments are not permitted' : undefined)
  const upgrade = await bed.plane.upgrade(new Request('http://localhost/v1/none', { headers }), peer)
  expect(upgrade instanceof Response && upgrade.status).toBe(status === 400 ? 400 : 404)
})

describe('names and searches are plain text', () => {
  test('a wildcard matches only itself', async () => {
    const found = async (text: string) =>
      (await me.get(`/ext/v1/search?text=${encodeURIComponent(text)}`)).body.items.map(
        (hit: { name: string }) => hit.name,
      )
    expect(await found('PLAY')).toEqual(['playground'])
    for (const text of [
      '%',
      '_',
      'p%d',
      '\\',
      '\\%',
      "'",
      "' OR ''='",
      '"; --',
      '\u{1f980}',
      '$1',
      '{}',
      '__proto__',
    ])
      expect(await found(text), text).toEqual([])
    expect((await me.get('/ext/v1/search?text=')).status).toBe(400)
    expect((await me.get(`/ext/v1/search?text=${'a'.repeat(321)}`)).status).toBe(400)
    expect((await me.get('/ext/v1/search?text=a&limit=51')).status).toBe(400)
  })

  test('object keys are only keys', async () => {
    const raw =
      '{"__proto__":{"name":"a","admin":true},"constructor":{"prototype":{"x":1}},"name":"proto","description":"","public_key":"k"}'
    expect((await me.call('POST', '/v1/me/ssh-keys', raw)).status).toBe(201)
    const missing = '{"__proto__":{"name":"inherited","description":"","public_key":"k"}}'
    expect((await me.call('POST', '/v1/me/ssh-keys', missing)).body.message).toContain('missing field `name`')
    expect(({} as Record<string, unknown>).admin).toBe(undefined)
    const twice = '{"name":"first","name":"second","description":"","public_key":"k"}'
    expect((await me.call('POST', '/v1/me/ssh-keys', twice)).body.name).toBe('second')
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect((await me.get(`/v1/projects?${key}=x&sort_by=${key}`)).status).toBe(400)
  })

  test('text is stored and returned unchanged', async () => {
    for (const description of [
      "'; DROP TABLE project; --",
      '<script>',
      '\u202e',
      '\r\nset-cookie: a=b',
      '{"a":1}',
      '\u{10ffff}',
      '\\u0000',
      '\ufffe',
    ]) {
      const answer = await me.call('PUT', '/v1/projects/playground', { description })
      expect([answer.status, answer.body.description]).toEqual([200, description])
    }
  })

  test('permission checks accept arbitrary input', async () => {
    const check = (id: string | null) =>
      me.post('/ext/v1/can', { checks: [{ action: 'modify', object: 'project', id }] })
    for (const id of [
      null,
      '',
      "' OR 1=1",
      'x'.repeat(63),
      crypto.randomUUID(),
      `urn:uuid:${crypto.randomUUID()}`,
    ])
      expect((await check(id)).body.verdicts).toEqual([
        { allowed: false, reason: expect.stringMatching(/^You need the role /), grant: null, missing: [] },
      ])
    expect((await check('x'.repeat(64))).body.message).toMatch(/id: value may contain at most 63 characters/)
    expect((await check('playground')).body.verdicts).toMatchObject([{ allowed: true, reason: null }])
    expect(
      (await me.post('/ext/v1/can', { checks: Array(101).fill({ action: 'read', object: 'fleet' }) })).status,
    ).toBe(400)
  })
})

test('a seeded stream of malformed requests never causes an internal error', async () => {
  let state = 7
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const scraps = [
    '',
    'a',
    'playground',
    '%00',
    '%F0%9F%A6%80',
    '..',
    '*',
    '%2f',
    "'",
    '9'.repeat(30),
    '-1',
    'null',
    '[]',
    crypto.randomUUID(),
    'A'.repeat(300),
  ]
  const values: unknown[] = [
    null,
    true,
    -1,
    1e308,
    'x',
    '',
    [],
    {},
    [[[]]],
    { type: 'create' },
    'playground',
    crypto.randomUUID(),
    GiB,
    [null],
    '\u{1f980}',
  ]
  const some = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const names = (Object.keys(ops) as OpName[]).filter((name) => name !== 'logout' && name !== 'changeStream')
  const faults: string[] = []
  for (let n = 0; n < 1500; n++) {
    const op = ops[some(names)]
    const path = op.path.replace(/\{\w+\}/g, () => some(scraps))
    const query = Object.keys(op.query.shape).flatMap((key) => (random(2) ? [`${key}=${some(scraps)}`] : []))
    const shape = (op.body as { shape?: object } | undefined)?.shape ?? {}
    const body = Object.fromEntries(Object.keys(shape).map((key) => [key, some(values)]))
    const headers: Record<string, string> = random(4)
      ? {}
      : { 'if-match': some(['*', '"1"', ',', '""', 'W/']) }
    const answer = await me.call(op.method, `${path}?${query.join('&')}`, op.body ? body : undefined, headers)
    if (answer.status >= 500 && answer.status !== 507 && answer.status !== 503)
      faults.push(`${op.method} ${path}?${query.join('&')} ${JSON.stringify(body)}: ${answer.status}`)
  }
  expect(faults).toEqual([])
})
