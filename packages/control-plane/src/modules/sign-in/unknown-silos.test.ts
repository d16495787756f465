import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passwords, Saml } from '../../environment.ts'
import { unreadable } from '../../kernel/refusal.ts'
import { testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { furnishSilo } from '../../testing/hidden-things.ts'
import { told } from '../../testing/told.ts'

/** Identity providers that nobody comes back from. */
const saml: Saml = {
  fetchMetadata: async () => '',
  checkMetadata: async () => undefined,
  checkKeyPair: () => undefined,
  signInUrl: async () => 'https://idp.test/',
  readResponse: async () => {
    throw unreadable('not signed')
  },
}

/** How often a password was compared with a hash, which is what takes the time of a sign-in. */
let verified = 0
const passwords: Passwords = {
  hash: async (text) => `plain:${text}`,
  verify: async (hash, text) => {
    verified++
    return hash === `plain:${text}`
  },
}

let bed: TestBed
/** What stands for an unknown silo: one that nobody may find, one of the other kind, and one that is not there. */
const silos = ['vault', 'federated', 'nowhere']
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml, passwords } })
  const { silo_id } = (await (await bed.signIn('member')).get('/v1/me')).body
  await furnishSilo(bed, silo_id)
  const federated = await bed.addSilo('federated')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', federated).execute()
})
afterAll(() => bed.stop())

test('a sign-in with a password says the same of every silo, and does the same work', async () => {
  const answers: unknown[] = []
  for (const [silo_name, username] of [['demo', 'viewer'], ...silos.map((silo) => [silo, 'kept'])] as const) {
    const before = verified
    const body = { username, password: 'guessed' }
    const answer = await told(bed, bed.anonymous, 'loginLocal', { silo_name: silo_name ?? '' }, body)
    answers.push([verified - before, answer])
  }
  expect(answers[0]).toEqual([1, expect.stringMatching(/^\[401,/)])
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test.each(['loginSamlBegin', 'loginSaml'] as const)(
  'a sign-in by %s says the same of every silo',
  async (name) => {
    const form = name === 'loginSaml' ? new URLSearchParams({ SAMLResponse: 'PA==' }) : undefined
    const of = (silo_name: string) =>
      told(bed, bed.anonymous, name, { silo_name, provider_name: 'nobody' }, form)
    const answer = await of('demo')
    expect(answer).toMatch(/^\[404,.*not found: identity-provider with name <provider_name>/)
    for (const silo of silos) expect(await of(silo), silo).toBe(answer)
  },
)

test('a sign-in is begun alike in every silo that nobody may find', async () => {
  const of = (silo_name: string) => told(bed, bed.anonymous, 'loginMethodView', { silo_name })
  await bed.db.updateTable('silo').set({ discoverable: false }).where('name', '=', 'federated').execute()
  const answer = await of('nowhere')
  for (const silo of silos) expect(await of(silo), silo).toBe(answer)
})

test('a sign-in opens a silo that nobody may find to its own people', async () => {
  const body = { username: 'kept', password: 'correct horse' }
  expect(await told(bed, bed.anonymous, 'loginLocal', { silo_name: 'vault' }, body)).toMatch(/^\[204,/)
  const at = { silo_name: 'vault', provider_name: 'corporate' }
  expect(await told(bed, bed.anonymous, 'loginSamlBegin', at)).toMatch(/^\[302,/)
})
