import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../../testing/control-plane.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane()
})
afterAll(() => bed.stop())

const silos = '/ext/v1/login/silos'

async function provider(silo_id: string, name: string, time_deleted: Date | null = null): Promise<void> {
  const texts = { metadata: '', idp_entity_id: '', sp_client_id: '', acs_url: '', slo_url: '' }
  const times = { time_created: new Date(), time_modified: new Date(), time_deleted }
  const more = { technical_contact_email: '', public_cert: null, group_attribute_name: null }
  await bed.db
    .insertInto('saml_identity_provider')
    .values({
      ...texts,
      ...times,
      ...more,
      id: crypto.randomUUID(),
      name,
      description: `${name} login`,
      silo_id,
    })
    .execute()
}

test('an anonymous caller learns of discoverable silos, and how to sign in to them', async () => {
  const acme = await bed.addSilo('acme')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', acme).execute()
  for (const name of ['partner', 'corporate']) await provider(acme, name)
  await provider(acme, 'gone', new Date())
  const deleted = await bed.addSilo('deleted')
  await bed.db.updateTable('silo').set({ time_deleted: new Date() }).where('id', '=', deleted).execute()
  expect((await bed.anonymous.get(silos)).body.items).toEqual([
    { name: 'acme', description: '' },
    { name: 'demo', description: 'A silo for trying things out' },
  ])
  expect((await bed.anonymous.get(`${silos}/demo`)).body).toEqual({ local: true, passkey: false, saml: [] })
  expect((await bed.anonymous.get(`${silos}/acme`)).body).toEqual({
    local: false,
    passkey: false,
    saml: [
      { name: 'corporate', description: 'corporate login' },
      { name: 'partner', description: 'partner login' },
    ],
  })
})

test('an undiscoverable silo looks like a missing one', async () => {
  for (const mode of ['local_only', 'saml_jit'] as const) {
    const name = `hidden-${mode.slice(0, 4)}`
    const id = await bed.addSilo(name)
    await bed.db
      .updateTable('silo')
      .set({ identity_mode: mode, discoverable: false })
      .where('id', '=', id)
      .execute()
    await provider(id, 'corporate')
    const [there, nowhere] = [
      await bed.anonymous.get(`${silos}/${name}`),
      await bed.anonymous.get(`${silos}/nowhere`),
    ]
    expect([there.status, there.body]).toEqual([nowhere.status, nowhere.body])
    expect(JSON.stringify((await bed.anonymous.get(silos)).body)).not.toContain(name)
  }
})

test("a browser's old cookie is ignored", async () => {
  const cookie = 'session=0000000000000000000000000000000000000000'
  expect((await bed.anonymous.call('GET', silos, undefined, { cookie })).status).toBe(200)
})
