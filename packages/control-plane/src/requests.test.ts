import { activityTokenMax } from '@gantry/api/history/activity'
import { activitySorts } from '@gantry/api/history/activity.rules'
import { notificationTokenMax } from '@gantry/api/history/notification'
import { notificationSorts } from '@gantry/api/history/notification.rules'
import { pastTokenMax } from '@gantry/api/history/past'
import { pastSorts } from '@gantry/api/history/past.rules'
import { taskTokenMax } from '@gantry/api/history/task'
import { taskSorts } from '@gantry/api/history/task.rules'
import { auditPageTokenMax } from '@gantry/api/system/audit'
import { instanceChangeTokenMax } from '@gantry/api/compute/instance-change'
import { instanceChangeSorts } from '@gantry/api/compute/instance-change.rules'
import { timeAndIdSorts } from '@gantry/api/system/audit.rules'
import { descriptionMaxLength } from '@gantry/api/base/name.rules'
import { isRead, type Operation } from '@gantry/api/op'
import { accessPageTokenMax } from '@gantry/api/base/permission'
import { accessSorts } from '@gantry/api/base/permission.rules'
import { pageTokenMax } from '@gantry/api/schema'
import { sortedPageTokenMax } from '@gantry/api/base/filtered-query'
import { operationId, type OpName, ops } from '@gantry/api/registry'
import { newestVersion, versionHeader, versionText } from '@gantry/api/versions/newest.rules'
import { baseVersion, isIn } from '@gantry/api/versions/version.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCases } from './testing/cases.gen.ts'
import { addAlert } from './testing/alerts.ts'
import { furnishNetwork } from './testing/rack-network.ts'
import {
  type Answer,
  type Caller,
  testControlPlane,
  type TestBed,
  usersChanges,
} from './testing/control-plane.ts'
import { addMulticastGroup } from './testing/multicast-group.ts'
import { asInContract } from './testing/operations.ts'
import { aQuery, GiB, id, named, project } from './testing/case-values.ts'
import type { OperationCase, Sent } from './testing/operation-case.ts'

/** A new operation without a case does not compile. */
const cases: Record<OpName, OperationCase> = allCases
const sentBy = (name: OpName): Sent => cases[name].sent
const all = Object.keys(ops) as OpName[]
const opOf = (name: OpName): Operation => ops[name]

function urlOf(name: OpName, { path = {}, query = {} }: Sent = sentBy(name)): string {
  const filled = opOf(name).path.replace(/\{(\w+)\}/g, (_, key: string) => path[key] ?? '')
  const search = new URLSearchParams(query).toString()
  return search ? `${filled}?${search}` : filled
}

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** Where the base edition had other parameters, they are sent as in the contract. */
const versionOf = (name: OpName) => (opOf(name).formerParams ? asInContract(opOf(name)) : {})

function send(
  who: Caller,
  name: OpName,
  given: Sent = sentBy(name),
  headers: Record<string, string> = {},
  url = urlOf(name, given),
): Promise<Answer> {
  const { form, body } = given
  const { method } = opOf(name)
  const all = { ...versionOf(name), ...headers }
  return form
    ? who.call(method, url, new URLSearchParams(form).toString(), { ...formType, ...all })
    : who.call(method, url, body, all)
}

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern)

/** What all refusals have in common. */
function expectRefusal(answer: Answer, status: number, message: string | RegExp): void {
  expect({ status: answer.status, message: answer.body?.message }).toEqual({
    status,
    message: typeof message === 'string' ? message : like(message),
  })
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  expect(answer.body.request_id).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(answer.body.help, 'a refusal says what to do').toMatch(/\.$/)
  expect(answer.headers.get('content-type')).toBe('application/json')
}

/** OAuth defines its own error format. */
const expectOauth = (answer: Answer, status: number, error: string): void =>
  expect([answer.status, answer.body]).toEqual([status, { error }])

/** A request that could not be parsed: no code, for every caller. */
function expectUnreadable(answer: Answer, message: string | RegExp): void {
  expectRefusal(answer, 400, message)
  expect(answer.body).not.toHaveProperty('error_code')
}

/** Everything that a refusal could have left behind. */
async function traces(): Promise<unknown> {
  const tables = [
    'job',
    'project',
    'instance',
    'disk',
    'snapshot',
    'image_upload',
    'ssh_key',
    'vpc',
    'fault',
    'metric_query',
  ] as const
  const counts: Record<string, unknown> = { changes: await usersChanges(bed) }
  for (const table of tables) {
    const rows = await bed.db
      .selectFrom(table as 'job')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = rows.count
  }
  return counts
}

async function leavesNoTrace(run: () => Promise<void>): Promise<void> {
  const before = await traces()
  await run()
  expect(await traces()).toEqual(before)
}

describe.each(all)('%s', (name) => {
  const op = opOf(name)
  /** A caller whose requests are parsed. */
  const reader = (): Caller => (op.anonymous ? bed.anonymous : admin)

  test('requires authentication before anything else', async () => {
    expect.hasAssertions()
    await leavesNoTrace(async () => {
      const answer = await send(bed.anonymous, name)
      if (op.transport === 'websocket') return expectUnreadable(answer, 'expected connection upgrade')
      const said = cases[name].anonymously
      if (said) return op.encoding === 'form' ? expectOauth(answer, ...said) : expectRefusal(answer, ...said)
      if (!op.anonymous) return expectRefusal(answer, 401, 'credentials missing or invalid')
      expect(answer.status).toBe(op.status)
    })
  })

  if (!op.anonymous && op.transport !== 'websocket')
    test('does not parse what an anonymous caller sends', async () => {
      const path = Object.fromEntries(Object.keys(sentBy(name).path ?? {}).map((key) => [key, 'Not_A_Name']))
      const url = `${urlOf(name, { path }).split('?')[0]}?limit=x`
      const unread = new ReadableStream({
        pull() {
          throw new Error('the body of a stranger was read')
        },
      })
      const { method } = op
      const body = isRead(method) ? {} : { body: unread, duplex: 'half' as const }
      const request = new Request(`http://localhost${url}`, { method, ...body })
      const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
      expect([response.status, await response.json()]).toMatchObject([401, { error_code: 'Unauthorized' }])
    })

  test('accepts only its own methods', async () => {
    // The methods of a path differ by version.
    const version = op.until === undefined ? newestVersion : baseVersion
    const named = { [versionHeader]: versionText(version) }
    const same = all
      .map(opOf)
      .filter((other) => other.path === op.path && isIn(other, version))
      .map(({ method }) => method)
    for (const method of ['PATCH', 'HEAD', 'OPTIONS'].filter((each) => !same.some((own) => own === each))) {
      const answer = await bed.anonymous.call(method, urlOf(name), undefined, named)
      expectRefusal(answer, 405, 'Method Not Allowed')
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(same.sort())
    }
  })

  test('matches despite extra slashes, but not with an extra segment', async () => {
    const [path = '', search = ''] = urlOf(name).split('?')
    const strange = `${path.replaceAll('/', '//')}/?${search}`
    const [plain, sloppy] = [
      await send(bed.anonymous, name),
      await send(bed.anonymous, name, sentBy(name), {}, strange),
    ]
    expect(sloppy.status).toBe(plain.status)
    expectRefusal(await bed.anonymous.call(op.method, `${path}/x/y`), 404, 'Not Found')
  })

  if (op.path.includes('{') && op.transport !== 'websocket')
    test('validates its path before its query and body', async () => {
      expect.hasAssertions()
      const bad = async (text: string) => {
        const path = Object.fromEntries(Object.keys(sentBy(name).path ?? {}).map((key) => [key, text]))
        return send(reader(), name, { ...sentBy(name), path })
      }
      expectUnreadable(await bad('%zz'), 'Bad Request')
      for (const text of [
        'Upper',
        '-dash',
        'a%00b',
        'a%20b',
        '%25',
        "'%20OR%201=1--",
        'a'.repeat(64),
        '%ED%A0%80',
      ])
        expectUnreadable(await bad(text), /^(bad parameter in URL path: |Bad Request)/)
    })

  const { body, query, form } = sentBy(name)
  if (form)
    test('validates its form first, and accepts no JSON', async () => {
      expect.hasAssertions()
      const post = (text: string, type = formType['content-type']) =>
        reader().call(op.method, urlOf(name), text, { 'content-type': type })
      await leavesNoTrace(async () => {
        expectUnreadable(
          await post(JSON.stringify(form), 'application/json'),
          'expected content type "application/x-www-form-urlencoded", got "application/json"',
        )
        expectUnreadable(await post(''), /^unable to parse URL-encoded body: missing field `\w+`$/)
        expectUnreadable(await post('client_id=%00'), /^unable to parse URL-encoded body: /)
        expectUnreadable(
          await post('x'.repeat(op.bodyMax + 1)),
          `request body exceeded maximum size of ${op.bodyMax} bytes`,
        )
        for (const field of Object.keys(form)) {
          const { [field]: _, ...rest } = form
          if (op.body?.safeParse(rest).success) continue
          expectUnreadable(
            await post(new URLSearchParams(rest).toString()),
            `unable to parse URL-encoded body: missing field \`${field}\``,
          )
        }
      })
    })

  if (body) {
    const sent = (text: string, headers: Record<string, string> = {}) =>
      reader().call(op.method, urlOf(name), text, { ...versionOf(name), ...headers })

    test('validates its body before any effect', async () => {
      expect.hasAssertions()
      await leavesNoTrace(async () => {
        for (const text of ['{', '{"a":}', 'nonsense', '{"a":"\u0001"}', '{} {}'])
          expectUnreadable(
            await sent(text),
            /^unable to parse JSON body: expected value at line \d+ column \d+$/,
          )
        expectUnreadable(
          await sent(''),
          'unable to parse JSON body: EOF while parsing a value at line 1 column 0',
        )
        for (const [text, kind] of [
          ['[]', 'sequence'],
          ['null', 'null'],
          ['7', 'integer `7`'],
          ['"x"', 'string "x"'],
          ['true', 'boolean `true`'],
        ] as const)
          expectUnreadable(
            await sent(text),
            `unable to parse JSON body: invalid type: ${kind}, expected a map at line 1 column ${text.length}`,
          )
        expectUnreadable(
          await sent(JSON.stringify(body), { 'content-type': 'text/plain; charset=utf-8' }),
          'expected content type "application/json", got "text/plain"',
        )
        expectUnreadable(
          await sent(`{"x":"${'x'.repeat(op.bodyMax)}"}`),
          `request body exceeded maximum size of ${op.bodyMax} bytes`,
        )
        const depth = Math.floor((op.bodyMax - 100) / 2)
        // Nested values of unknown keys are skipped, however deep.
        for (const key of ['x', ...Object.keys(body)]) {
          const nested = `{${JSON.stringify(key)}:${'['.repeat(depth)}"\\u0061"${']'.repeat(depth)}}`
          expectUnreadable(
            await sent(nested),
            /^unable to parse JSON body: recursion limit exceeded at line 1/,
          )
        }
      })
    })

    test('reports what is wrong with each field', async () => {
      expect.hasAssertions()
      for (const [field, value] of Object.entries(body)) {
        const without: Record<string, unknown> = { ...body, [field]: undefined }
        if (!op.body?.safeParse(without).success)
          expectUnreadable(
            await sent(JSON.stringify(without)),
            new RegExp(`^unable to parse JSON body: missing field \`${field}\` at line 1 column \\d+$`),
          )
        const wrong = typeof value === 'string' ? 7 : 'x'
        const said = typeof value === 'string' ? 'integer `7`' : 'string "x"'
        expectUnreadable(
          await sent(JSON.stringify({ ...body, [field]: wrong })),
          new RegExp(
            `^unable to parse JSON body: ${field}: invalid type: ${said}, expected .+ at line 1 column \\d+$`,
          ),
        )
        if (typeof value === 'string') {
          for (const text of ['a\0b', '\ud800', '\udfff\ud800'])
            expectUnreadable(
              await sent(JSON.stringify({ ...body, [field]: text })),
              /^unable to parse JSON body: /,
            )
        } else if (typeof value === 'number') {
          for (const number of ['-1', '1.5', '1e400', '9223372036854775808', '1e308'])
            expectUnreadable(
              await sent(
                JSON.stringify({ ...body, [field]: 0 }).replace(`"${field}":0`, `"${field}":${number}`),
              ),
              new RegExp(`^unable to parse JSON body: ${field}: .+ at line 1`),
            )
        }
      }
    })
  }

  if (query && op.transport !== 'websocket')
    test('validates its query before any effect', async () => {
      expect.hasAssertions()
      const first = urlOf(name).split('?')[0]
      for (const key of Object.keys(op.query.shape)) {
        const nul = new URLSearchParams({ ...query, [key]: 'a\0' })
        expectUnreadable(
          await reader().call(op.method, `${first}?${nul}`, body, versionOf(name)),
          /^unable to parse query string: /,
        )
      }
      for (const key of op.requiredOnFirstPage) {
        const others = op.requiredOnFirstPage.filter((other) => other !== key)
        const rest = new URLSearchParams(others.map((other) => [other, query[other] ?? '']))
        expectUnreadable(
          await reader().call(
            op.method,
            others.length > 0 ? `${first}?${rest}` : String(first),
            body,
            versionOf(name),
          ),
          `unable to parse query string: missing field \`${key}\``,
        )
      }
      if (query.project)
        expectUnreadable(
          await send(reader(), name, { ...sentBy(name), query: { ...query, project: 'Not_A_Name' } }),
          'unable to parse query string: project: data did not match any variant of untagged enum NameOrId',
        )
    })
})

test('an upgrade is validated and authorised like every request', async () => {
  expect.hasAssertions()
  const upgrade = async (path: string, { cookie }: Caller = admin): Promise<Answer> => {
    const request = new Request(`http://localhost${path}`, { headers: cookie ? { cookie } : {} })
    const response = await bed.plane.upgrade(request, { address: '' })
    if (!(response instanceof Response)) throw new Error('the upgrade was taken')
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const at = '/v1/instances/nobody/serial-console/stream'
  for (const path of [`${at}?project=playground`, at.replace('nobody', 'Bad')])
    expectRefusal(await upgrade(path, bed.anonymous), 401, 'credentials missing or invalid')
  expectUnreadable(await upgrade('/v1/me'), 'unexpected protocol for upgrade')
  expectUnreadable(await upgrade(at.replace('nobody', 'Bad')), /^bad parameter in URL path: /)
  expectUnreadable(await upgrade(`${at}?most_recent=-1`), /^unable to parse query string: most_recent: /)
  expectRefusal(await upgrade('/v1/nothing'), 404, 'Not Found')
})

test('every operation has a case, and every case an operation', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(ops).sort())
})

const lists = all.filter((name) => opOf(name).sorts)
/** Created once, so that every list has content. */
const sample: Record<string, string> = {
  instance: 'paging',
  affinity_group: 'paging',
  anti_affinity_group: 'paging',
  pool: 'external',
  multicast_group: 'paging',
}
beforeAll(async () => {
  await addAlert(bed.db, 'pager')
  sample.receiver = 'pager'
  await furnishNetwork(admin)
  sample.address_lot = 'uplinks'
  sample.user_id = (await admin.get('/v1/me')).body.id
  sample.sled_id = (await admin.get('/v1/system/hardware/sleds')).body.items[0].id
})
beforeAll(async () => {
  for (const name of ['paging-a', 'paging-b'])
    await admin.post('/v1/me/ssh-keys', { name, description: '', public_key: 'k' })
  const made = await admin.post('/v1/instances?project=playground', {
    name: 'paging',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'paging',
    start: false,
    disks: ['one', 'two'].map((name) => ({
      type: 'create',
      name,
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    })),
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  await addMulticastGroup(bed, 'paging', [made.body.id])
  for (const family of ['affinity', 'anti-affinity']) {
    const body = { name: 'paging', description: '', policy: 'allow', failure_domain: 'sled' }
    await admin.post(`/v1/${family}-groups?project=playground`, body)
    await admin.post(`/v1/${family}-groups/paging/members/instance/paging?project=playground`)
  }
  for (const name of ['paging-a', 'paging-b'])
    await admin.post('/ext/v1/metric-queries?project=playground', { name, description: '', query: aQuery })
})

/** Tokens that contain more than a name and an id. */
const longestToken = new Map<unknown, number>([
  ...Object.values<Operation>(ops).flatMap(({ query, sorts }): [unknown, number][] =>
    'filter' in query.shape && sorts ? [[sorts, sortedPageTokenMax]] : [],
  ),
  [accessSorts, accessPageTokenMax],
  [timeAndIdSorts, auditPageTokenMax],
  [instanceChangeSorts, instanceChangeTokenMax],
  [activitySorts, activityTokenMax],
  [pastSorts, pastTokenMax],
  [taskSorts, taskTokenMax],
  [notificationSorts, notificationTokenMax],
])

describe.each(lists)('%s as a list', (name) => {
  const op = opOf(name)
  const url = (more: Record<string, string>): string => {
    const { path, query } = sentBy(name)
    const there = (given: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(given).map(([key, value]) => [key, sample[key] ?? value]))
    return urlOf(name, { path: there(path), query: { ...there(query), ...more } })
  }

  test('accepts a limit of at least one, and caps it at the maximum', async () => {
    for (const limit of [
      '0',
      '-1',
      'abc',
      '',
      ' 5',
      '1e3',
      '0x10',
      '+5',
      '1.0',
      '4294967296',
      '9'.repeat(40),
    ])
      expectUnreadable(await admin.get(url({ limit })), /^unable to parse query string: limit: /)
    for (const limit of ['1', '20000', '4294967295', '007'])
      expect((await admin.get(url({ limit }))).status).toBe(200)
  })

  test('accepts only its own sort modes', async () => {
    for (const sort_by of op.sorts ?? []) expect((await admin.get(url({ sort_by }))).status).toBe(200)
    expectUnreadable(
      await admin.get(url({ sort_by: 'colour_descending' })),
      /^unable to parse query string: sort_by: (unknown variant `colour_descending`, expected )/,
    )
  })

  test('pages to an empty last page without a token, in every order', async () => {
    for (const sort_by of op.sorts ?? []) {
      const whole = await admin.get(url({ sort_by }))
      const seen: unknown[] = []
      let page = await admin.get(url({ sort_by, limit: '1' }))
      while (page.body.items.length > 0) {
        seen.push(...page.body.items)
        expect(page.body.next_page).toMatch(/./)
        // A token needs no other parameters.
        const [bare = ''] = url({}).split('?')
        page = await admin.get(`${bare}?limit=1&page_token=${encodeURIComponent(page.body.next_page)}`)
        expect(page.status, JSON.stringify(page.body)).toBe(200)
      }
      expect(page.body.next_page).toBe(null)
      expect(seen).toEqual(whole.body.items)
    }
  })

  test('refuses a foreign token', async () => {
    expect.hasAssertions()
    const longest = longestToken.get(op.sorts) ?? pageTokenMax
    const token = (marker: unknown): string =>
      btoa(JSON.stringify(marker)).replaceAll('+', '-').replaceAll('/', '_')
    const good = { v: 1, op: operationId(name), sort: 'id_ascending', selectors: project, last: id }
    const bad = [
      'x',
      '%',
      '____',
      btoa('\xff\xfe'),
      ...[
        null,
        7,
        [],
        { ...good, v: 2 },
        { ...good, op: 'other_list' },
        { ...good, last: 'not-an-id' },
        { ...good, last: "'; DROP TABLE project; --" },
        { ...good, last: 7 },
        { ...good, last: null },
        { ...good, sort: 'name_ascending', last: op.sorts?.includes('name_ascending') ? id : 'a' },
        { ...good, sort: 'name; DROP TABLE project' },
        { ...good, sort: '__proto__' },
        { ...good, selectors: null },
        { ...good, selectors: { project: { $ne: 1 } } },
        { ...good, selectors: { project: 'a\0b' } },
        { ...good, selectors: 'playground' },
      ].map(token),
    ]
    for (const page_token of bad) {
      const answer = await admin.get(url({ page_token }))
      expectUnreadable(answer, /^unable to parse query string: .*token$/)
    }
    expectUnreadable(
      await admin.get(url({ page_token: 'a'.repeat(longest + 1) })),
      'unable to parse query string: page_token: failed to parse pagination token: too large',
    )
  })
})

const addressed = all.flatMap((name) => {
  const { addressed } = cases[name]
  return addressed ? [[name, addressed] as const] : []
})
const parentNames: Record<string, string> = {
  silo: 'demo',
  project: 'playground',
  vpc: 'default',
  router: 'system',
  gateway: 'default',
  instance: 'paging',
}

describe.each(addressed)('%s', (name, [key, type, parents, both, alone]) => {
  const query = Object.fromEntries(parents.map((parent) => [parent, parentNames[parent] ?? '']))
  const get = (selector: string, query: Record<string, string> = {}) =>
    send(admin, name, { path: { [key]: selector }, query })

  test('repeats how a missing object was addressed', async () => {
    expect.hasAssertions()
    expectRefusal(await get('nobody', query), 404, `not found: ${type} with name "nobody"`)
    for (const form of [id, id.toUpperCase(), id.replaceAll('-', ''), `urn:uuid:${id}`, `%7B${id}%7D`])
      expectRefusal(await get(form), 404, `not found: ${type} with id "${id}"`)
  })

  test('names a missing parent', async () => {
    for (const [index, parent] of parents.entries()) {
      const answer = await get('nobody', { ...query, [parent]: 'no-parent' })
      const types: Record<string, string> = { router: 'vpc-router', gateway: 'internet-gateway' }
      expectRefusal(answer, 404, `not found: ${types[parent] ?? parent} with name "no-parent"`)
      expect(index).toBeLessThan(3)
    }
  })

  if (both)
    test('says that an id takes no parent', async () => {
      expect.hasAssertions()
      for (const parent of parents) expectRefusal(await get(id, { [parent]: query[parent] ?? '' }), 400, both)
    })

  if (alone)
    test('says that a name needs its parent', async () => {
      expect.hasAssertions()
      expectRefusal(await get('nobody'), 400, alone)
    })
})

test.each([
  ['/v1/vpc-subnets/default', 'vpc=default', 'vpc should either be an ID or project should be specified'],
  [
    '/v1/vpc-subnets/default',
    `vpc=${id}&project=playground`,
    'when providing vpc as an ID, project should not be specified',
  ],
  [
    '/v1/vpc-router-routes/r',
    `router=${id}&vpc=default`,
    'when providing router as an ID vpc and project should not be specified',
  ],
  [
    '/v1/network-interfaces/net0',
    `instance=${id}&project=playground`,
    'when providing instance as an ID project should not be specified',
  ],
  [
    '/v1/network-interfaces/net0',
    'instance=paging',
    'instance should either be UUID or project should be specified',
  ],
])('%s?%s: parents follow the same rule', async (path, query, message) => {
  expect.hasAssertions()
  expectRefusal(await admin.get(`${path}?${query}`), 400, message)
})

test.each([
  ['/', 404],
  ['/v1', 404],
  ['/v1/projects/p/q/r', 404],
  ['/v2/me', 404],
  ['/V1/me', 404],
  ['/__proto__', 404],
  ['/v1/constructor/prototype', 404],
])('%s is not found, for every caller', async (path, status) => {
  for (const who of [bed.anonymous, admin]) {
    const answer = await who.get(path)
    expectRefusal(answer, status, 'Not Found')
    expect(answer.body).not.toHaveProperty('error_code')
  }
})

test('an error deep inside alternatives is reported at its field', async () => {
  const create = (more: Record<string, unknown>) =>
    send(admin, 'instanceCreate', {
      ...sentBy('instanceCreate'),
      body: { ...allCases.instanceCreate.sent.body, ...more },
    })
  const boot = (disk_source: unknown) => ({
    boot_disk: { type: 'create', ...named, size: GiB, disk_source },
  })
  const table: [Record<string, unknown>, string][] = [
    [
      boot({ type: 'tape' }),
      'boot_disk.disk_source.type: unknown variant `tape`, expected one of `blank`, `snapshot`, `image`, `importing_blocks`',
    ],
    [boot({}), 'boot_disk.disk_source: missing field `type`'],
    [boot({ type: 7 }), 'boot_disk.disk_source.type: invalid type: integer `7`, expected a string'],
    [boot('x'), 'boot_disk.disk_source: invalid type: string "x", expected a map'],
    [boot({ type: 'image' }), 'boot_disk.disk_source: missing field `image_id`'],
    [boot({ type: 'image', image_id: 'x' }), 'boot_disk.disk_source.image_id: UUID parsing failed'],
    [boot({ type: 'blank', block_size: 7 }), 'boot_disk.disk_source.block_size: invalid block size 7'],
    [
      { boot_disk: { type: 'borrow' } },
      'boot_disk.type: unknown variant `borrow`, expected `create` or `attach`',
    ],
    [
      {
        disks: [
          { type: 'attach', name: 'ok' },
          { type: 'attach', name: 'Bad' },
        ],
      },
      'disks[1].name: name must begin with an ASCII lowercase character',
    ],
    [{ disks: {} }, 'disks: invalid type: map, expected a sequence'],
    [
      { network_interfaces: { type: 'create', params: [{ name: 'a' }] } },
      'network_interfaces.params[0]: missing field `description`',
    ],
    [
      { network_interfaces: { type: 'many' } },
      'network_interfaces.type: unknown variant `many`, expected one of `create`, `default`, `none`',
    ],
    [
      { external_ips: [{ type: 'static' }] },
      'external_ips[0].type: unknown variant `static`, expected `ephemeral` or `floating`',
    ],
    [
      { auto_restart_policy: 'always' },
      'auto_restart_policy: unknown variant `always`, expected `never` or `best_effort`',
    ],
    [{ ncpus: -1 }, 'ncpus: invalid value: integer `-1`, expected at least 0'],
    [{ ncpus: 65_536 }, 'ncpus: invalid value: integer `65536`, expected at most 65535'],
    [{ ncpus: 1.5 }, 'ncpus: invalid type: floating point `1.5`, expected an integer'],
    [{ memory: 2 ** 53 }, 'memory: value is too large for a byte count'],
    [{ memory: 1e30 }, 'memory: value is too large for a byte count'],
    [{ start: 'yes' }, 'start: invalid type: string "yes", expected a boolean'],
    [{ hostname: 'a'.repeat(254) }, 'hostname: Max hostname length is 253'],
    [{ hostname: '-a' }, 'hostname: Hostnames must comply with RFC 1035'],
    [{ user_data: '!' }, 'user_data: invalid value: string, expected a valid base64 string'],
    [{ user_data: btoa('x'.repeat(32 * 1024 + 1)) }, 'user_data: user data must be less than 32 KiB'],
    [
      { description: 'x'.repeat(descriptionMaxLength + 1) },
      'description: description may contain at most 512 characters',
    ],
    [{ name: '' }, 'name: name requires at least one character'],
    [{ name: 'a'.repeat(64) }, 'name: name may contain at most 63 characters'],
    [{ name: 'a-' }, 'name: name cannot end with "-"'],
    [
      { name: 'aB' },
      'name: name contains invalid character: "B" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    [{ name: 'a'.repeat(32) }, 'name: name cannot be a UUID to avoid ambiguity with IDs'],
  ]
  for (const [more, message] of table) {
    const answer = await create(more)
    expectUnreadable(answer, /^unable to parse JSON body: /)
    expect(answer.body.message.replace(/ at line 1 column \d+$/, '')).toBe(
      `unable to parse JSON body: ${message}`,
    )
  }
})

test('input that crashes the reference is refused or accepted, never a 500', async () => {
  const key = (public_key: string) =>
    admin.post('/v1/me/ssh-keys', { name: 'long-key', description: '', public_key })
  expectUnreadable(await key('x'.repeat(8193)), /public_key: public key may contain at most 8192 characters/)
  expect((await key('x'.repeat(8192))).status).toBe(201)
  const update = (description: string) => admin.call('PUT', '/v1/projects/playground', { description })
  expectUnreadable(
    await update('x'.repeat(513)),
    /description: description may contain at most 512 characters/,
  )
  expect((await update('é'.repeat(512))).status).toBe(200)
  expect((await update('C:\\u0000 is only text')).status).toBe(200)
  expect((await update('\u{1f980}')).body.description).toBe('\u{1f980}')
})

test('objects of another silo are not found, by any user here', async () => {
  const siloId = await bed.addSilo('elsewhere')
  await bed.db.updateTable('silo_quotas').set({ storage: 1e15 }).where('silo_id', '=', siloId).execute()
  const pool = await bed.db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  await bed.db
    .insertInto('ip_pool_silo')
    .values({ ip_pool_id: pool.id, silo_id: siloId, is_default: true })
    .execute()
  const other = await bed.addUser('other', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  const made = await other.post('/v1/projects', { name: 'hidden', description: '' })
  expect(made.status).toBe(201)
  await other.post('/v1/instances?project=hidden', {
    ...allCases.instanceCreate.sent.body,
    start: false,
    boot_disk: { type: 'create', ...allCases.diskCreate.sent.body, name: 'boot' },
  })
  await other.post('/v1/snapshots?project=hidden', { name: 'snap', description: '', disk: 'boot' })
  const key = await other.post('/v1/me/ssh-keys', allCases.currentUserSshKeyCreate.sent.body)
  const first = async (path: string) => (await other.get(`${path}&limit=1`)).body.items[0].id
  const inVpc = 'project=hidden&vpc=default'
  const hidden: [string, string][] = [
    ['/v1/projects/', made.body.id],
    ['/v1/instances/', await first('/v1/instances?project=hidden')],
    ['/v1/disks/', await first('/v1/disks?project=hidden')],
    ['/v1/snapshots/', await first('/v1/snapshots?project=hidden')],
    ['/v1/vpcs/', await first('/v1/vpcs?project=hidden')],
    ['/v1/vpc-subnets/', await first(`/v1/vpc-subnets?${inVpc}`)],
    ['/v1/vpc-routers/', await first(`/v1/vpc-routers?${inVpc}`)],
    ['/v1/vpc-router-routes/', await first(`/v1/vpc-router-routes?${inVpc}&router=system`)],
    ['/v1/internet-gateways/', await first(`/v1/internet-gateways?${inVpc}`)],
    ['/v1/network-interfaces/', await first('/v1/network-interfaces?project=hidden&instance=new-one')],
    ['/v1/users/', other.id],
    ['/v1/me/ssh-keys/', key.body.id],
  ]
  for (const [path, id] of hidden) {
    expect((await other.get(path + id)).status).toBe(200)
    expectRefusal(await admin.get(path + id), 404, new RegExp(`^not found: [a-z-]+ with id "${id}"$`))
  }
  expectRefusal(await admin.get('/v1/projects/hidden'), 404, 'not found: project with name "hidden"')
  const instance = hidden[1]?.[1] ?? ''
  for (const verb of ['start', 'stop', 'reboot'])
    expectRefusal(
      await admin.post(`/v1/instances/${instance}/${verb}`),
      404,
      `not found: instance with id "${instance}"`,
    )
  const disk = { name: 'stolen', description: '', size: GiB }
  const snapshot_id = hidden[3]?.[1]
  expectRefusal(
    await admin.post('/v1/disks?project=playground', {
      ...disk,
      disk_source: { type: 'snapshot', snapshot_id },
    }),
    404,
    `not found: snapshot with id "${snapshot_id}"`,
  )
  expect((await admin.get('/ext/v1/search?text=hidden')).body.items).toEqual([])
})

test('the API description is public', async () => {
  const ask = (method: string, path: string) =>
    bed.plane.fetch(new Request(`http://localhost${path}`, { method }), { address: '127.0.0.1' })
  const version = async (path: string) => {
    const answer = await ask('GET', path)
    return [answer.status, ((await answer.json()) as { openapi: string }).openapi]
  }
  expect(await version('/openapi.json')).toEqual([200, '3.0.3'])
  expect(await version('/ext/v1/openapi.json')).toEqual([200, '3.1.0'])
  const refused = await ask('POST', '/openapi.json')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET'])
})
