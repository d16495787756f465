import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { type Counted, countedStatements } from '../../testing/counted-statements.ts'
import { genericPlan } from '../../testing/generic-plan.ts'
import { made } from '../../testing/hidden-things.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'

let counted: Counted
let bed: TestBed
let member: Caller
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true })
  member = await bed.signIn('member')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const planOf = async (query: string): Promise<string> => {
  const statements = await counted.during(() => member.get(`/ext/v1/tasks?${query}`))
  return genericPlan(bed.db, statements.find((text) => text.includes(' AS branch')) ?? '')
}

test.each([
  ['mine=true', 'change_task_user'],
  ['project=atlas&state=ended', 'change_task_project'],
  ['', 'change_task_silo'],
])('a page of %s is read in the order of its index', async (query, index) => {
  const plan = await planOf(query)
  expect(plan).toContain(`Index Scan Backward using ${index}`)
  expect(plan).not.toContain('Seq Scan')
})

test('pending work is found by what is pending, however much has ended', async () => {
  const plan = await planOf('mine=true&state=open')
  expect(plan).toContain('change_task_object')
  expect(plan).not.toContain('Seq Scan')
  expect(plan).not.toContain('change_task_user')
})
