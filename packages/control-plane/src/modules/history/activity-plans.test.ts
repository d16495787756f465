import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { type Counted, countedStatements } from '../../testing/counted-statements.ts'
import { genericPlan } from '../../testing/generic-plan.ts'
import { made } from '../../testing/hidden-things.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'

let counted: Counted
let bed: TestBed
let member: Caller
let operator: Caller
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true })
  member = await bed.signIn('member')
  operator = await bed.signIn('admin')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const object = 'object=7c9e6679-7425-40de-944b-e07fc1f90ae7'

test.each([
  ['project=atlas', ['change_activity_project', 'audit_refused_project']],
  ['project=atlas&outcome=refused', ['audit_refused_project']],
  ['', ['change_activity_silo', 'audit_refused_silo']],
  ['mine=true', ['change_activity_user', 'audit_refused_silo_user']],
  // Of an empty table, any index with the object is as good.
  [`project=atlas&${object}`, ['change_', 'change_activity_holder', 'audit_refused_object']],
  ['project=atlas&search=db-1', ['change_activity_name', 'audit_refused_name']],
])('a page of %s is read in the order of its indexes', async (query, indexes) => {
  const statements = await counted.during(() => member.get(`/ext/v1/activity?${query}&limit=10`))
  const page = statements.find((text) => text.includes(' AS branch'))
  const plan = await genericPlan(bed.db, page ?? '')
  expect(plan).not.toContain('Seq Scan on change')
  expect(plan).not.toContain('Seq Scan on audit')
  expect(plan.includes('Merge Append')).toBe(indexes.length > 1)
  for (const index of indexes) expect(plan).toContain(index)
})

test('a name is looked up in its index, and not in all of a silo', async () => {
  const statements = await counted.during(() => member.get('/ext/v1/activity?project=atlas&search=db-1'))
  const plan = await genericPlan(bed.db, statements.find((text) => text.includes(' AS branch')) ?? '')
  expect(plan).toMatch(
    /change_activity_name[^\n]*\n\s*Index Cond: \(\(silo_id = \$\d+\) AND \(name = \$\d+\)\)/,
  )
  expect(plan).toMatch(
    /audit_refused_name[^\n]*\n\s*Index Cond: \(\(silo_id = \$\d+\) AND \(object_name = \$\d+\)\)/,
  )
})

test('a page of the fleet is read in the order of its indexes', async () => {
  const statements = await counted.during(() => operator.get('/ext/v1/system/activity?limit=10'))
  const plan = await genericPlan(bed.db, statements.find((text) => text.includes(' AS branch')) ?? '')
  expect(plan).toContain('change_activity_silo')
})
