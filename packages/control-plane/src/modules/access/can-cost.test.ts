import type { Action } from '@gantry/api/extensions.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { type Counted, countedStatements } from '../../testing/counted-statements.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'

let counted: Counted
let bed: TestBed
let me: Caller
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  // The clock is fixed, so that cached roles do not expire in between.
  const now = new Date()
  bed = await testControlPlane({ dialect: counted.dialect, idle: true, environment: { clock: () => now } })
  me = await bed.signIn('member')
  await me.get('/v1/me')
})
afterAll(() => bed.stop())

const actions: Action[] = ['read', 'list_children', 'create_child', 'modify']
const objects = [
  { object: 'fleet' },
  { object: 'silo' },
  { object: 'silo', id: 'demo' },
  { object: 'silo_quotas' },
  { object: 'silo_user' },
  { object: 'silo_image' },
  { object: 'project', id: 'playground' },
  { object: 'project', id: 'nowhere' },
  { object: 'certificate' },
]
async function ask(checks: object[]): Promise<string[]> {
  const [caller, ...statements] = await counted.during(async () => {
    const answer = await me.post('/ext/v1/can', { checks })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(answer.body.verdicts).toHaveLength(checks.length)
  })
  // On a busy machine the request pauses, and its caller is authenticated again.
  return [caller ?? '', ...statements.filter((text) => text !== caller)]
}
const everything = actions.flatMap((action) => objects.map((one) => ({ action, ...one })))

test('all checks of a page take three statements: caller, objects and roles', async () => {
  expect(await ask(everything)).toHaveLength(3)
  const protecting = ['identity_provider', 'silo_deletion']
  const withProtected = [
    ...everything,
    ...actions.flatMap((action) => protecting.map((object) => ({ action, object }))),
  ]
  expect(await ask(withProtected)).toHaveLength(4)
})

test('a check writes nothing and opens no transaction', async () => {
  const audited = () => bed.db.selectFrom('audit').select('id').execute()
  const before = await audited()
  const statements = await ask(everything)
  expect(statements.filter((text) => !/^\s*select\b/i.test(text))).toEqual([])
  expect(await audited()).toHaveLength(before.length)
})
