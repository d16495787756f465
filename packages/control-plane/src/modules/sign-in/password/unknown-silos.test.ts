import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passwords } from '@gantry/control-plane/environment'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { furnishSilo } from '@gantry/control-plane/testing/hidden-things'
import { silentSaml } from '@gantry/control-plane/testing/saml'
import { disclosed } from '@gantry/control-plane/testing/operations'

/** Number of password hash comparisons, which dominate the time of a sign-in. */
let verified = 0
const passwords: Passwords = {
  hash: async (text) => `plain:${text}`,
  verify: async (hash, text) => {
    verified++
    return hash === `plain:${text}`
  },
}

let bed: TestBed
/** Silos to be treated as unknown: an undiscoverable one, one of the other type, and a missing one. */
const silos = ['vault', 'federated', 'nowhere']
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: silentSaml, passwords } })
  const { silo_id } = (await (await bed.signIn('member')).get('/v1/me')).body
  await furnishSilo(bed, silo_id)
  const federated = await bed.addSilo('federated')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', federated).execute()
})
afterAll(() => bed.stop())

test('a password sign-in answers alike for every silo, with the same work', async () => {
  const answers: unknown[] = []
  for (const [silo_name, username] of [['demo', 'viewer'], ...silos.map((silo) => [silo, 'kept'])] as const) {
    const before = verified
    const body = { username, password: 'guessed' }
    const answer = await disclosed(bed, bed.anonymous, 'loginLocal', { silo_name: silo_name ?? '' }, body)
    answers.push([verified - before, answer])
  }
  expect(answers[0]).toEqual([1, expect.stringMatching(/^\[401,/)])
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test.each(['loginSamlBegin', 'loginSaml'] as const)(
  'a sign-in by %s answers alike for every silo',
  async (name) => {
    const form = name === 'loginSaml' ? new URLSearchParams({ SAMLResponse: 'PA==' }) : undefined
    const of = (silo_name: string) =>
      disclosed(bed, bed.anonymous, name, { silo_name, provider_name: 'nobody' }, form)
    const answer = await of('demo')
    expect(answer).toMatch(/^\[404,.*not found: identity-provider with name <provider_name>/)
    for (const silo of silos) expect(await of(silo), silo).toBe(answer)
  },
)

test('a sign-in begins alike in every undiscoverable silo', async () => {
  const of = (silo_name: string) => disclosed(bed, bed.anonymous, 'loginMethodView', { silo_name })
  await bed.db.updateTable('silo').set({ discoverable: false }).where('name', '=', 'federated').execute()
  const answer = await of('nowhere')
  for (const silo of silos) expect(await of(silo), silo).toBe(answer)
})

test('users can sign in to their own undiscoverable silo', async () => {
  const body = { username: 'kept', password: 'correct horse' }
  expect(await disclosed(bed, bed.anonymous, 'loginLocal', { silo_name: 'vault' }, body)).toMatch(/^\[204,/)
  const at = { silo_name: 'vault', provider_name: 'corporate' }
  expect(await disclosed(bed, bed.anonymous, 'loginSamlBegin', at)).toMatch(/^\[302,/)
})
