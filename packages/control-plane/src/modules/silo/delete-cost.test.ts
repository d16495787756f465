import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { type Counted, countedStatements } from '../../testing/counted-statements.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'

let counted: Counted
let bed: TestBed
let admin: Caller
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true })
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

/** Statements that delete a silo with this many users, each with an SSH key. */
async function deletionOf(name: string, users: number): Promise<number> {
  const siloId = await bed.addSilo(name)
  for (let index = 0; index < users; index++) {
    const person = await bed.addUser(`${name}-${index}`, { siloId })
    const key = { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA' }
    expect((await person.post('/v1/me/ssh-keys', key)).status).toBe(201)
  }
  const statements = await counted.during(async () => {
    expect((await admin.call('DELETE', `/v1/system/silos/${name}`)).status).toBe(204)
  })
  return statements.length
}

test('a silo is deleted by as many statements, however many users it has', async () => {
  expect(await deletionOf('large', 9)).toBe(await deletionOf('small', 1))
})
