import * as op from '@gantry/api/client/operations.gen'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type QueryRef, type Change, isAffected } from './affected.ts'
import { eachQuery } from './each-query.ts'
import { allQuery, listQuery, metaOf, opQuery } from './queries.ts'
import { type CurrentUser, session } from './session.ts'

const [webId, otherId] = ['5f0c7b52-0000-4000-8000-000000000001', '5f0c7b52-0000-4000-8000-000000000002']
const projects = new Map([
  ['web', webId],
  ['other', otherId],
])
const change = (kind: string, more: Partial<Change> = {}): Change => ({
  kind,
  op: 'update',
  id: 'some-id',
  name: 'db',
  project_id: webId,
  ...more,
})
const affects = (query: QueryRef, made: Change, data?: unknown) =>
  isAffected({ ...query, state: { data } }, made, projects)
const can = (...checks: object[]) => ({
  queryKey: [op.permissionCheck.name, checks.length === 1 ? checks[0] : checks],
  meta: metaOf(op.permissionCheck),
})

describe('a list', () => {
  const instances = listQuery(op.instanceList, { query: { project: 'web' } }).at()
  test.each([
    ['in its project', change('instance'), true],
    ['in another project', change('instance', { project_id: otherId }), false],
    ['in an unknown project', change('instance', { project_id: 'third' }), false],
    ['of another kind', change('disk'), false],
  ])('is affected by a change %s: %s', (_, made, expected) => expect(affects(instances, made)).toBe(expected))

  test("of a project may be affected while the project's id is unknown", () =>
    expect(affects(listQuery(op.instanceList, { query: { project: 'new' } }).at(), change('instance'))).toBe(
      true,
    ))

  test('of a project named by id', () => {
    const byId = allQuery(op.diskList, { query: { project: otherId } })
    expect(affects(byId, change('disk'))).toBe(false)
    expect(affects(byId, change('disk', { project_id: otherId }))).toBe(true)
  })

  test('of several parents names no project and may be affected', () =>
    expect(
      affects(
        eachQuery(op.vpcRouterRouteList, [{ id: 'router' }], (router) => ({ query: { router } })),
        change('router-route'),
      ),
    ).toBe(true))

  test('of projects is affected by each of them', () =>
    expect(affects(listQuery(op.projectList, {}).at(), change('project', { id: otherId }))).toBe(true))
})

describe('a view', () => {
  const view = opQuery(op.instanceView, { path: { instance: 'db' }, query: { project: 'web' } })
  test.each([
    ['the object by name', change('instance'), true],
    ['another one', change('instance', { name: 'cache' }), false],
    ['one of the same name elsewhere', change('instance', { project_id: otherId }), false],
    ['an object without a name in the change', change('instance', { name: null }), true],
  ])('is affected by a change of %s', (_, made, expected) => expect(affects(view, made)).toBe(expected))

  test('is affected when its object is renamed', () =>
    expect(affects(view, change('instance', { name: 'renamed' }), { id: 'some-id' })).toBe(true))

  test('is matched by id', () => {
    const byId = opQuery(op.instanceView, { path: { instance: 'some-id' } })
    expect(affects(byId, change('instance'))).toBe(true)
    expect(affects(byId, change('instance', { id: 'other-id' }))).toBe(false)
  })

  test("of a project is affected by the project's new name", () => {
    const project = opQuery(op.projectView, { path: { project: 'web' } })
    expect(affects(project, change('project', { id: webId, name: 'renamed', project_id: webId }))).toBe(true)
    expect(affects(project, change('project', { id: otherId, name: 'renamed', project_id: otherId }))).toBe(
      false,
    )
  })

  test("of an object's contents is affected by every other kind it reads", () => {
    const disks = opQuery(op.instanceDiskList, { path: { instance: 'db' }, query: { project: 'web' } })
    expect(affects(disks, change('disk', { name: 'data' }))).toBe(true)
    expect(affects(disks, change('instance', { name: 'cache' }))).toBe(false)
  })
})

describe('a permission check', () => {
  afterEach(() => vi.restoreAllMocks())
  const inWeb = { action: 'create_child', object: 'project', id: 'web' }
  const inSilo = { action: 'create_child', object: 'silo' }
  const siloPolicy = change('policy', { project_id: null, name: null })
  test.each([
    ['an instance', change('instance'), can(inWeb), false],
    ['the project', change('project', { id: webId }), can(inWeb), false],
    ['its policy', change('policy', { name: null }), can(inWeb), true],
    [
      'the policy of another project',
      change('policy', { project_id: otherId, name: null }),
      can(inWeb),
      false,
    ],
    ['the policy of a project', change('policy', { name: null }), can(inSilo), false],
    [
      'the policy of one of several projects',
      change('policy', { name: null }),
      can({ ...inWeb, id: 'other' }, inWeb),
      true,
    ],
    ['the policy of the silo', siloPolicy, can(inWeb), true],
    ['the policy of the silo', siloPolicy, can(inSilo), true],
    ['a group', change('silo-group', { project_id: null }), can(inWeb), true],
  ])('is sent again after a change of %s', (_, made, query, expected) =>
    expect(affects(query, made)).toBe(expected),
  )

  test('is sent again after a change to the signed-in user, but not to other users', () => {
    vi.spyOn(session, 'user').mockReturnValue({ id: 'me' } as CurrentUser)
    expect(affects(can(inWeb), change('silo-user', { id: 'me', project_id: null }))).toBe(true)
    expect(affects(can(inWeb), change('silo-user', { id: 'you', project_id: null }))).toBe(false)
    const me = opQuery(op.currentUserView, {})
    expect(affects(me, change('silo-user', { id: 'you', project_id: null }))).toBe(false)
    expect(affects(me, change('policy', { name: null }))).toBe(false)
    expect(affects(me, siloPolicy)).toBe(true)
  })
})
