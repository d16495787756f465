import * as op from '@gantry/api/client/operations.gen'
import { expect, test } from 'vitest'
import { type RecordedStep, stepOf } from '#/data/recording/recorded.ts'
import { filled, isRequest, planFileOf, projectsOf, readPlan, secretsOf } from './plan-file.ts'

const server = 'https://gantry.example'
const id = (digit: number) => `3e2c6e84-bed8-4c94-afc3-10320000000${digit}`
const recorded = [
  stepOf(op.projectCreate, { body: { name: 'atlas', description: '' } }, {}, { id: id(1), name: 'atlas' }),
  stepOf(
    op.diskCreate,
    { query: { project: 'atlas' }, body: { name: 'data', description: 'atlas', size: 2 ** 30 } },
    { tags: [{ key: 'env', value: 'prod' }] },
    { id: id(2), name: 'data' },
  ),
  stepOf(op.diskGrow, { path: { disk: id(2) }, body: { size: 2 ** 31 } }, {}, { id: id(2) }),
  stepOf(
    op.projectPolicyUpdate,
    {
      path: { project: 'atlas' },
      body: { roleAssignments: [{ identityType: 'silo_user', identityId: id(3), roleName: 'viewer' }] },
    },
    {},
    {},
  ),
  stepOf(
    op.localIdpUserCreate,
    {
      path: { silo: 'rock' },
      body: { externalId: 'anna', password: { mode: 'password', value: 'granite' } },
    },
    {},
    { id: id(4) },
  ),
].flatMap((step) => step ?? [])
const plan = planFileOf(recorded, { server, known: { [id(3)]: { kind: 'silo-user', name: 'member' } } })
const given = {
  projects: { atlas: 'second' },
  ids: { silo_user_member: id(9) },
  secrets: { PASSWORD: 'slate' },
}
const requests = plan.steps.filter(isRequest).map((step) => filled(step, given, { disk_data: id(8) }))

test('the file holds no id that a step gives, no secret, and is read as it was written', () => {
  const text = JSON.stringify(plan)
  expect(text).not.toContain('granite')
  for (const own of [1, 2, 4]) expect(text).not.toContain(id(own))
  expect(readPlan(text)).toEqual(plan)
  expect(secretsOf(plan)).toEqual(['PASSWORD'])
  expect(projectsOf(plan)).toEqual(['atlas'])
  expect(plan.ids).toEqual([{ name: 'silo_user_member', about: 'silo-user member', id: id(3) }])
})

test('what is given and answered takes the places of names', () => {
  expect(requests.map(({ operation }) => operation)).toEqual([
    'projectCreate',
    'diskCreate',
    'diskGrow',
    'projectPolicyUpdate',
    'localIdpUserCreate',
  ])
  const [project, disk, grown, policy, user] = requests
  expect(project?.body).toMatchObject({ name: 'second' })
  // Only where it names the project.
  expect(disk).toMatchObject({ query: { project: 'second' }, body: { description: 'atlas' } })
  expect(disk?.tags).toEqual([{ key: 'env', value: 'prod' }])
  expect(grown?.params).toEqual({ disk: id(8) })
  expect(policy).toMatchObject({
    params: { project: 'second' },
    body: { role_assignments: [{ identity_id: id(9) }] },
  })
  expect(user?.body).toMatchObject({ password: { mode: 'password', value: 'slate' } })
})

test('a request without an answer is a step with a warning before it', () => {
  const [first] = recorded
  const pending: RecordedStep = { ...first!, answered: undefined, pending: 'x' }
  const { steps } = planFileOf([pending], { server, known: {} })
  expect(steps).toMatchObject([
    { note: expect.stringContaining('whether it succeeded is not known') },
    { operation: 'projectCreate' },
  ])
})

const request = {
  operation: 'diskDelete',
  method: 'DELETE',
  path: '/v1/disks/{disk}',
  params: {},
  query: {},
  tags: [],
}
const file = (...steps: object[]) => JSON.stringify({ gantry_plan: 1, server, ids: [], steps })

test.each([
  ['{', 'The file is not JSON'],
  ['null', 'The file is not a plan'],
  ['[]', 'The file is not a plan'],
  [file(), 'The plan has no steps'],
  [JSON.stringify({ gantry_plan: 1, ids: [{}], steps: [request] }), 'The ids of the plan'],
  [' '.repeat(2_000_001), 'The file is too large'],
  [file(...Array.from({ length: 1001 }, () => request)), 'more than 1000 steps'],
  [file({}), 'Step 1 of the plan names no operation'],
  [file(request, { ...request, method: 'HEAD' }), 'Step 2 of the plan has no method'],
  [file({ ...request, path: '//elsewhere.example/v1/disks' }), 'has no path of the API'],
  [file({ ...request, path: '/v1/../login' }), 'has no path of the API'],
  [file({ ...request, path: '/ext/v1/me/access-tokens' }), 'concerns a sign-in or tokens'],
  [file({ ...request, tags: [{}] }), 'is not as plans are written'],
  [file({ ...request, gives: { name: 'a', field: 'secret' } }), 'gives nothing'],
  [file({ ...request, params: { disk: { $from: 'a' } } }), 'names a, which no step before it gives'],
])('the file %.40s is refused', (text, why) => {
  expect(() => readPlan(text)).toThrow(why)
})
