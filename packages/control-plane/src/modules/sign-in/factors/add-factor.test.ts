import { afterAll, beforeAll, expect, test } from 'vitest'
import { noSeal } from '@gantry/control-plane/environment'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { factors } from './second-factor.fixtures.ts'
import { totpCode, totpStepAt } from './totp.ts'

let bed: TestBed
/** Runs while a code is being checked, before the factor is stored. */
let meanwhile = async (): Promise<unknown> => undefined
beforeAll(async () => {
  const open: typeof noSeal.open = async (text) => {
    await meanwhile()
    return noSeal.open(text)
  }
  bed = await testControlPlane({ environment: { seal: { ...noSeal, open } } })
})
afterAll(() => bed.stop())

test('a session that ends while its code is checked adds no factor', async () => {
  const admin = await bed.signIn('admin')
  const person = await bed.addUser('ended')
  const { secret } = (await person.post('/ext/v1/me/totp/set-up')).body
  meanwhile = async () => expect((await admin.post(`/v1/users/${person.id}/logout`)).status).toBe(204)
  const added = await person.post('/ext/v1/me/totp', {
    code: await totpCode(secret, totpStepAt(new Date())),
  })
  meanwhile = async () => undefined
  expect(added.status).toBe(401)
  expect((await (await bed.signIn('ended')).get(factors)).body.totp).toBe(null)
})
