import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OutOfSpace } from '../../blocks/block-store.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import {
  type Caller,
  eventually,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { testEnvironment } from '../../testing/environment.ts'
import { addAlert } from '../../testing/alerts.ts'
import { furnishProject } from '../../testing/hidden-things.ts'
import { bundleParts } from './parts.ts'

const base = '/experimental/v1/system/support-bundles'
const held = memoryBlocks()
/** What the store does instead of its work, until a test puts it back. */
let failing: { room?: boolean; write?: () => Promise<void>; removals?: number } = {}
let bed: TestBed
let operator: Caller

beforeAll(async () => {
  const { settings } = testEnvironment()
  bed = await testControlPlane({
    environment: {
      settings: { ...settings, support_bundles: { at_most: 3, mebibytes: 64 } },
      blocks: {
        ...held,
        async needRoom() {
          if (failing.room) throw new OutOfSpace('full', { space: { free: 5, reserve: 9 } })
        },
        async write(...given) {
          await failing.write?.()
          return held.write(...given)
        },
        async remove(...given) {
          if (failing.removals) {
            failing.removals--
            throw new Error('the store is read-only')
          }
          return held.remove(...given)
        },
      },
      diagnosis: {
        versions: { gantry: '1.2.3' },
        checks: async () => ({ up_seconds: 7 }),
        logged: () => ['{"level":"info","msg":"ready","uri":"/v1/disks?project=whispered-name"}'],
      },
    },
  })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const collected = async (id: string, state = 'active') =>
  (
    await eventually(
      () => operator.get(`/ext/v1/system/support-bundles/${id}`),
      ({ body }) => body.state === state,
    )
  ).body
const create = async (body: object = {}): Promise<string> => {
  const made = await operator.post(base, body)
  expect([made.status, made.body.state]).toEqual([201, 'collecting'])
  return made.body.id
}
const removed = async (id: string): Promise<void> => {
  expect((await operator.call('DELETE', `${base}/${id}`)).status).toBe(204)
  await eventually(
    () => operator.get(`${base}/${id}`),
    ({ status }) => status === 404,
  )
}
const fetched = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const request = new Request(`http://localhost${base}/${path}`, {
    method,
    headers: { cookie: operator.cookie, ...headers },
  })
  const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}
const textOf = async (id: string, file: string): Promise<string> =>
  new TextDecoder().decode((await fetched(`${id}/download/${encodeURIComponent(file)}`)).bytes)

test('a bundle is collected, downloaded whole, by file and in ranges, and deleted', async () => {
  const id = await create({ user_comment: 'disks are slow' })
  const bundle = await collected(id)
  const paths = ['manifest.json', ...bundleParts.map(({ path }) => path)]
  expect(bundle).toMatchObject({
    reason_for_creation: 'Created by external API',
    reason_for_failure: null,
    user_comment: 'disks are slow',
    parts_done: bundleParts.length,
    parts_total: bundleParts.length,
    files: paths.map((path) => ({ path, size: expect.any(Number) })),
  })
  expect((await operator.get(`${base}?sort_by=time_and_id_descending`)).body.items[0].id).toBe(id)

  const whole = await fetched(`${id}/download`)
  expect(whole.response.status).toBe(200)
  expect(Object.fromEntries(whole.response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(bundle.size),
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="support-bundle-${id}.zip"`,
  })
  expect(whole.bytes).toHaveLength(bundle.size)

  const part = await fetched(`${id}/download`, { range: 'bytes=10-99' })
  expect([part.response.status, part.response.headers.get('content-range')]).toEqual([
    206,
    `bytes 10-99/${bundle.size}`,
  ])
  expect(part.bytes).toEqual(whole.bytes.slice(10, 100))
  const etag = whole.response.headers.get('etag') ?? ''
  const same = await fetched(`${id}/download`, { range: 'bytes=-5', 'if-range': etag })
  expect(same.bytes).toEqual(whole.bytes.slice(-5))
  const other = await fetched(`${id}/download`, { range: 'bytes=-5', 'if-range': '"other"' })
  expect([other.response.status, other.bytes.length]).toEqual([200, bundle.size])
  const beyond = await fetched(`${id}/download`, { range: `bytes=${bundle.size}-` })
  expect([beyond.response.status, beyond.response.headers.get('content-range')]).toEqual([
    416,
    `bytes */${bundle.size}`,
  ])
  const malformed = await operator.call('GET', `${base}/${id}/download`, undefined, { range: 'bytes=x' })
  expect([malformed.status, malformed.body.error_code, malformed.body.message]).toEqual([
    400,
    'InvalidRequest',
    'Failed to parse range request header',
  ])

  const head = await fetched(`${id}/download`, {}, 'HEAD')
  expect([head.response.headers.get('content-length'), head.bytes.length]).toEqual([String(bundle.size), 0])
  const index = await fetched(`${id}/index`)
  expect(new TextDecoder().decode(index.bytes)).toBe(paths.map((path) => `${path}\n`).join(''))
  const versions = await textOf(id, 'versions.json')
  expect(JSON.parse(versions)).toMatchObject({
    gantry: '1.2.3',
    database: expect.stringMatching(/^PostgreSQL/),
  })
  const piece = await fetched(`${id}/download/versions.json`, { range: 'bytes=1-4' })
  expect(new TextDecoder().decode(piece.bytes)).toBe(versions.slice(1, 5))
  const headOfFile = await fetched(`${id}/download/versions.json`, {}, 'HEAD')
  expect(headOfFile.response.headers.get('content-length')).toBe(String(versions.length))
  const missing = await operator.get(`${base}/${id}/download/passwords.txt`)
  expect([missing.status, missing.body.message]).toEqual([
    404,
    `not found: file "passwords.txt" of support-bundle "${id}"`,
  ])
  expect(JSON.parse(await textOf(id, 'logs/server.jsonl'))).toEqual({ level: 'info', msg: 'ready' })

  const row = await bed.db
    .selectFrom('support_bundle')
    .select('content_id')
    .where('id', '=', id)
    .executeTakeFirst()
  await removed(id)
  expect(await held.size(row?.content_id ?? '')).toBeUndefined()
})

test('a bundle is an archive that other programs unpack', async () => {
  const id = await create()
  const { files } = await collected(id)
  const { bytes } = await fetched(`${id}/download`)
  const view = new DataView(bytes.buffer)
  // The directory at the end leads to each file (PKWARE's APPNOTE, 4.3.12 and 4.3.16).
  const end = bytes.length - 22
  expect([view.getUint32(end, true), view.getUint16(end + 10, true)]).toEqual([0x06054b50, files.length])
  let at = view.getUint32(end + 16, true)
  for (const { path, size } of files) {
    expect(view.getUint32(at, true)).toBe(0x02014b50)
    const length = view.getUint16(at + 28, true)
    expect(new TextDecoder().decode(bytes.slice(at + 46, at + 46 + length))).toBe(path)
    expect(view.getUint32(at + 24, true)).toBe(size)
    const local = view.getUint32(at + 42, true)
    const data = local + 30 + view.getUint16(local + 26, true)
    expect(new TextDecoder().decode(bytes.slice(data, data + size))).toBe(await textOf(id, path))
    at += 46 + length
  }
  await removed(id)
})

test('a bundle holds no secret, and nothing that people named, wrote or are known by', async () => {
  const owner = await bed.signIn('member')
  await furnishProject(owner, 'whispered')
  await addAlert(bed.db, 'whispering-pager')
  await bed.addUser('whispered-ada')
  await bed.db
    .insertInto('job')
    .values({
      id: crypto.randomUUID(),
      kind: 'snapshot-content',
      args: JSON.stringify({ name: 'whispered-argument' }),
      state: 'failed',
      run_at: new Date(),
      lease_until: null,
      failure: JSON.stringify({
        code: 'Conflict',
        message: 'whispered-failure exists',
        next_step: 'whispered',
      }),
      time_created: new Date(),
      time_done: new Date(),
    })
    .execute()
  const id = await create({ user_comment: 'whispered comment' })
  await collected(id)
  const text = new TextDecoder().decode((await fetched(`${id}/download`)).bytes)
  expect(text).toContain('"failure_code": "Conflict"')
  expect(text).not.toContain('whisper')
  // Every text that a user, or a secret, has in the database.
  const columns = await sql<{ table_name: string; column_name: string }>`
    SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
      AND data_type IN ('text', 'character varying') AND (column_name IN ('name', 'description', 'external_id',
        'hash', 'secret', 'token_hash', 'public_key', 'user_agent', 'address', 'source_ip', 'request_uri', 'hostname',
        'user_data', 'key', 'ip', 'endpoint', 'metadata', 'user_comment', 'error_message')
      OR column_name LIKE '%\_hash' OR column_name LIKE '%\_key')
      AND table_name NOT IN ('timeseries_name', 'counter', 'metric_progress', 'user_builtin', 'attempt')`.execute(
    bed.db,
  )
  expect(columns.rows.length).toBeGreaterThan(60)
  const found: string[] = []
  for (const { table_name, column_name } of columns.rows) {
    const { rows } = await sql<{ value: string }>`SELECT DISTINCT ${sql.ref(column_name)} AS value
      FROM ${sql.table(table_name)} WHERE length(${sql.ref(column_name)}) > 5`.execute(bed.db)
    // Whole words only: a user may be called like a part of a table's name.
    for (const { value } of rows) {
      const word = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      if (new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text))
        found.push(`${table_name}.${column_name}: ${value}`)
    }
  }
  expect(found.join('\n')).toBe('')
  await removed(id)
})

test('a bundle that is not complete cannot be downloaded, and deleting it cancels its collection', async () => {
  let go = (): void => {}
  failing = { write: () => new Promise((resolve) => (go = resolve)) }
  const id = await create()
  await eventually(
    () => operator.get(`/ext/v1/system/support-bundles/${id}`),
    ({ body }) => body.parts_done === bundleParts.length,
  )
  const early = await operator.get(`${base}/${id}/download`)
  expect([early.status, early.body.message]).toEqual([400, 'Cannot download bundle in non-active state'])
  const { content_id } = await bed.db
    .selectFrom('support_bundle')
    .select('content_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await removed(id)
  failing = {}
  go()
  await eventually(
    () =>
      bed.db
        .selectFrom('job')
        .select('state')
        .where('kind', '=', 'support-bundle-collection')
        .where('state', '=', 'pending')
        .execute(),
    (jobs) => jobs.length === 0,
  )
  expect(await held.size(content_id ?? '')).toBeUndefined()
})

test('a collection that was killed starts over, and leaves no bytes of its first attempt', async () => {
  const id = await create()
  await collected(id)
  // As after a kill in the middle: an attempt has written bytes, and its job is pending again.
  const first = await bed.db
    .selectFrom('support_bundle')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await bed.db
    .updateTable('support_bundle')
    .set({ state: 'collecting', size: null, files: null, parts_done: 4 })
    .where('id', '=', id)
    .execute()
  await bed.db
    .updateTable('job')
    .set({ state: 'pending', time_done: null, run_at: new Date(0), lease_until: new Date(0) })
    .where('kind', '=', 'support-bundle-collection')
    .where(sql<boolean>`args ->> 'bundle_id' = ${id}`)
    .execute()
  await collected(id)
  const again = await bed.db
    .selectFrom('support_bundle')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(again.content_id).not.toBe(first.content_id)
  await eventually(
    () => held.size(first.content_id ?? ''),
    (size) => size === undefined,
  )
  expect(await held.size(again.content_id ?? '')).toBe(again.size)
  await removed(id)
})

test('a bundle that cannot be written fails with the reason, and can be deleted', async () => {
  failing = {
    write: async () => {
      throw new OutOfSpace('full')
    },
  }
  const id = await create()
  const bundle = await collected(id, 'failed')
  failing = {}
  expect(bundle).toMatchObject({
    reason_for_failure: 'Insufficient capacity: Not enough storage',
    size: null,
    files: [],
  })
  await removed(id)
})

test('a bundle disappears once its bytes can be removed, however often that failed', async () => {
  const id = await create()
  await collected(id)
  failing = { removals: 31 }
  expect((await operator.call('DELETE', `${base}/${id}`)).status).toBe(204)
  await settledJobs(bed)
  expect(failing.removals).toBe(0)
  expect((await operator.get(`${base}/${id}`)).status).toBe(404)
  failing = {}
})

test('bundles are limited in number, and refused without room', async () => {
  const ids = await Promise.all([create(), create(), create()])
  const more = await operator.post(base, {})
  expect([more.status, more.body.error_code]).toEqual([507, 'InsufficientCapacity'])
  expect(more.body.help).toContain('support_bundles.at_most')
  for (const id of ids) await collected(id)
  for (const id of ids) await removed(id)
  failing = { room: true }
  const refused = await operator.post(base, {})
  failing = {}
  expect([refused.status, refused.body.message]).toEqual([507, 'Insufficient capacity: Not enough storage'])
})

test('creators at the same moment do not exceed the limit', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => operator.post(base, {})))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 507)).toHaveLength(5)
  for (const { status, body } of answers) {
    if (status !== 201) continue
    await collected(body.id)
    await removed(body.id)
  }
})

test('a comment is changed and cleared, and has at most 4096 bytes', async () => {
  const id = await create({ user_comment: 'one' })
  await collected(id)
  const set = async (user_comment: string | null) => operator.call('PUT', `${base}/${id}`, { user_comment })
  expect((await set('é'.repeat(2048))).body.user_comment).toHaveLength(2048)
  const long = await set(`${'é'.repeat(2048)}x`)
  expect([long.status, long.body.message]).toEqual([400, 'User comment cannot exceed 4096 bytes'])
  expect((await set(null)).body.user_comment).toBeNull()
  const tooLong = await operator.post(base, { user_comment: 'x'.repeat(4097) })
  expect([tooLong.status, tooLong.body.message]).toEqual([400, 'User comment cannot exceed 4096 bytes'])
  expect((await operator.call('DELETE', `${base}/${id}`)).status).toBe(204)
  const twice = await operator.call('DELETE', `${base}/${id}`)
  expect([400, 404]).toContain(twice.status)
})
