import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const path = '/v1/projects/playground'
const known = (tags: string, at = path) => me.call('GET', at, undefined, { 'if-none-match': tags })

test('a reader who has the newest state of an object gets no body', async () => {
  const { headers } = await me.get(path)
  const etag = headers.get('etag') ?? ''
  for (const tags of [etag, `W/${etag}`, `"old", ${etag}`, '*']) {
    const answer = await known(tags)
    expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, undefined, etag])
  }
  for (const tags of ['"old"', '', etag.replaceAll('"', '')]) expect((await known(tags)).status).toBe(200)
  expect((await me.call('PUT', path, { description: 'changed' })).status).toBe(200)
  expect((await known(etag)).status).toBe(200)
})

test('what shows other rows is always sent whole', async () => {
  const { name } = (await me.get('/v1/ip-pools')).body.items[0]
  const pool = `/v1/ip-pools/${name}`
  const shown = await me.get(pool)
  const etag = shown.headers.get('etag') ?? ''
  const operator = await bed.signIn('admin')
  const link = `/v1/system/ip-pools/${name}/silos/${(await me.get('/v1/me')).body.silo_id}`
  const changed = await operator.call('PUT', link, { is_default: !shown.body.is_default })
  expect(changed.status).toBe(200)
  const now = await known(etag, pool)
  expect([now.status, now.body.is_default]).toEqual([200, !shown.body.is_default])
  const later = { 'if-none-match': etag, 'api-version': '2025121200.0.0' }
  expect((await me.call('GET', path, undefined, later)).status).toBe(200)
})

test('lists without a version, unknown objects and writes are not conditional on it', async () => {
  expect((await known('*', '/v1/projects')).status).toBe(200)
  expect((await known('*', '/v1/projects/unknown')).status).toBe(404)
  const put = await me.call('PUT', path, { description: 'again' }, { 'if-none-match': '*' })
  expect([put.status, put.body.description]).toEqual([200, 'again'])
  expect((await bed.anonymous.call('GET', path, undefined, { 'if-none-match': '*' })).status).toBe(401)
})

test('a compressed body is refused with the name of the header', async () => {
  const create = (name: string, encoding: string) =>
    me.call('POST', '/v1/projects', { name, description: '' }, { 'content-encoding': encoding })
  for (const encoding of ['gzip', 'br', 'GZIP, identity', 'x'.repeat(200)]) {
    const { status, body } = await create('compressed', encoding)
    expect([status, body.message]).toEqual([415, `unsupported content-encoding: ${encoding.slice(0, 64)}`])
  }
  expect((await create('plain', 'identity')).status).toBe(201)
  const anonymous = await bed.anonymous.call('POST', '/v1/projects', '{}', { 'content-encoding': 'gzip' })
  expect(anonymous.status).toBe(401)
  const signIn = { username: 'member', password: 'correct horse' }
  const login = await bed.anonymous.call('POST', '/v1/login/demo/local', signIn, {
    'content-encoding': 'gzip',
  })
  expect(login.status).toBe(415)
})
