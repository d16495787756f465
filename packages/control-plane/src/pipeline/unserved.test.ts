import { ops } from '@gantry/api/registry'
import { unservedPaths } from '@gantry/api/unserved'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
const people: Record<string, Caller> = {}
beforeAll(async () => {
  bed = await testControlPlane()
  people['nobody'] = bed.anonymous
  people['a member'] = await bed.addUser('somebody', {})
  people['a fleet viewer'] = await bed.addUser('looks', { roles: [{ at: 'fleet', role: 'viewer' }] })
  people['a fleet collaborator'] = await bed.addUser('works', {
    roles: [{ at: 'fleet', role: 'collaborator' }],
  })
})
afterAll(() => bed.stop())

const unserved = Object.entries<string>(unservedPaths).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => `${method} ${path}`),
)

test('served operations are not listed as missing', () => {
  const served = new Set(Object.values(ops).map(({ method, path }) => `${method} ${path}`))
  expect(unserved.filter((each) => served.has(each))).toEqual([])
  expect(new Set(unserved).size).toBe(unserved.length)
})

test.each([
  ['nobody', 'GET', '/v1/system/update/trust-roots', 401, 'Unauthorized'],
  ['nobody', 'DELETE', '/v1/system/update/trust-roots', 404, undefined],
  ['nobody', 'POST', '/v1/system/update/trust-roots', 401, 'Unauthorized'],
  ['a member', 'GET', '/v1/system/update/trust-roots', 403, 'Forbidden'],
  ['a fleet viewer', 'GET', '/v1/system/update/trust-roots', 501, 'NotImplemented'],
  ['a fleet viewer', 'GET', '/v1/system/update/repository/anything', 501, 'NotImplemented'],
  ['a fleet viewer', 'POST', '/v1/system/update/trust-roots', 403, 'Forbidden'],
  ['a fleet viewer', 'GET', '/v1/system/update/repository/%zz', 400, undefined],
  ['a fleet viewer', 'GET', '/v1/system/update/repository/a/b', 404, undefined],
  ['a fleet viewer', 'GET', '/v1/system/hardware', 404, undefined],
  ['a fleet collaborator', 'POST', '/v1/system/update/trust-roots', 501, 'NotImplemented'],
])('%s asks %s %s: %i', async (who, method, path, status, code) => {
  const answer = await people[who]?.call(method, path)
  expect([answer?.status, answer?.body.error_code]).toEqual([status, code])
})

test('the refusal says what is missing and what to do', async () => {
  const answer = await people['a fleet viewer']?.get('/v1/system/update/trust-roots')
  expect(answer?.body).toMatchObject({
    message: 'this server does not offer GET /v1/system/update/trust-roots yet',
    help: 'Use another operation, or ask the operator when this server will offer it.',
  })
})

test('these paths belong to the API, not to pages of the console', () => {
  expect(bed.plane.serves('GET', '/v1/system/update/trust-roots')).toBe(true)
  expect(bed.plane.serves('GET', '/experimental/v1/nothing')).toBe(false)
  expect(bed.plane.serves('GET', '/experimental/v1/probes/%ff')).toBe(false)
})
