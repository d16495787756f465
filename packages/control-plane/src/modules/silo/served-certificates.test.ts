import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Seal } from '../../environment.ts'
import { certificateFor } from '../../testing/certificates.ts'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'

const opened: string[] = []
const seal: Seal = {
  seal: async (secret) => `sealed:${secret}`,
  open: async (sealed) => {
    opened.push(sealed)
    return sealed.replace('sealed:', '')
  },
  isCurrent: (text) => text.startsWith('sealed:'),
}

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { seal } })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const served = async () => (await bed.plane.certificates()).map(({ host }) => host)
const certificate = (name: string, host: string) => ({ name, description: '', ...certificateFor(host) })

test('lists certificates of existing silos, newest first, and opens keys only on read', async () => {
  expect(await served()).toEqual([])
  const created = await operator.post('/v1/system/silos', {
    name: 'acme',
    description: '',
    discoverable: true,
    identity_mode: 'local_only',
    quotas: { cpus: 0, memory: 0, storage: 0 },
    tls_certificates: [certificate('tls', 'acme.sys.test')],
  })
  expect(created.status).toBe(201)
  const own = await operator.post('/v1/certificates', certificate('own', 'demo.sys.test'))
  expect(own.status).toBe(201)
  expect(await served()).toEqual(['demo.sys.test', 'acme.sys.test'])

  // Signing in has opened the key of known devices.
  expect(opened.filter((sealed) => sealed.includes('key-1'))).toEqual([])
  opened.length = 0
  const [first] = await bed.plane.certificates()
  const { key: kept } = await bed.db
    .selectFrom('certificate_key')
    .select('key')
    .where('certificate_id', '=', own.body.id)
    .executeTakeFirstOrThrow()
  expect(await first?.read()).toEqual({ cert: certificateFor('demo.sys.test').cert, key: 'key-1' })
  expect(opened).toEqual([kept])

  await operator.call('DELETE', '/v1/certificates/own')
  expect(await first?.read()).toBeUndefined()
  await operator.call('DELETE', '/v1/system/silos/acme')
  expect(await served()).toEqual([])
})
