import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  said,
  type TestBed,
  testControlPlane,
} from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let member: Caller
let viewer: Caller
const ids: Record<string, string> = {}
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  for (const kind of ['users', 'groups'])
    for (const { id, display_name } of (await viewer.get(`/v1/${kind}`)).body.items) ids[display_name] = id
  for (const { id, name } of (await viewer.get('/v1/projects')).body.items) ids[name] = id
})
afterAll(() => bed.stop())

interface Source {
  role_name: string
  assigned_on: string
  assigned_role: string
  group: { display_name: string } | null
}
/** `collaborator as silo admin by engineers`: the effective role, the assignment behind it, and the group. */
const explained = (role: { role_name: string | null; sources: Source[] }): string[] =>
  role.sources.map(
    (one) =>
      `${one.role_name} as ${one.assigned_on} ${one.assigned_role} by ${one.group?.display_name ?? 'self'}`,
  )
const namesOf = ({ body }: Answer): string[] =>
  body.items.map((one: { display_name: string }) => one.display_name)

describe('users and groups with their roles', () => {
  test('come in one response, by name, with the sources of each role', async () => {
    const { body } = await operator.get('/ext/v1/users?project=playground')
    expect(body.items.map((user: { display_name: string }) => user.display_name)).toEqual([
      'admin',
      'ines',
      'member',
      'omar',
      'petra',
      'viewer',
    ])
    const of = (name: string) =>
      body.items.find((user: { display_name: string }) => user.display_name === name)
    expect(of('omar').groups).toEqual([
      { id: ids.auditors, display_name: 'auditors' },
      { id: ids.engineers, display_name: 'engineers' },
    ])
    expect(explained(of('admin').roles.fleet)).toEqual(['admin as fleet admin by self'])
    expect(explained(of('omar').roles.silo)).toEqual(['viewer as silo viewer by auditors'])
    expect(explained(of('omar').roles.every_project)).toEqual(['viewer as silo viewer by auditors'])
    expect(of('omar').roles.projects).toMatchObject([
      { id: ids.playground, name: 'playground', role_name: 'collaborator' },
    ])
    expect(explained(of('omar').roles.projects[0])).toEqual([
      'collaborator as project collaborator by engineers',
      'viewer as silo viewer by auditors',
    ])
    expect(explained(of('ines').roles.projects[0])).toEqual([
      'admin as project admin by self',
      'collaborator as project collaborator by engineers',
    ])
    expect(of('member').roles.projects[0]).toMatchObject({ role_name: 'admin' })
    expect(of('ines').roles.silo).toEqual({ role_name: null, sources: [] })

    const groups = (await operator.get('/ext/v1/groups?project=playground')).body.items
    expect(groups).toMatchObject([
      { display_name: 'auditors', member_count: 2, roles: { silo: { role_name: 'viewer' } } },
      { display_name: 'engineers', member_count: 2, roles: { projects: [{ role_name: 'collaborator' }] } },
    ])
    expect(explained(groups[1].roles.projects[0])).toEqual(['collaborator as project collaborator by self'])
  })

  test('are found by part of a name, by group, and in either order', async () => {
    expect(namesOf(await viewer.get('/ext/v1/users?name=E'))).toEqual(['ines', 'member', 'petra', 'viewer'])
    expect(namesOf(await viewer.get('/ext/v1/users?name=%25'))).toEqual([])
    expect(namesOf(await viewer.get(`/ext/v1/users?group=${ids.engineers}&sort_by=name_descending`))).toEqual(
      ['omar', 'ines'],
    )
    expect(namesOf(await viewer.get('/ext/v1/groups?name=AUD'))).toEqual(['auditors'])
    const unknown = crypto.randomUUID()
    expect(said(await viewer.get(`/ext/v1/users?group=${unknown}`))).toBe(
      `404 not found: silo-group with id "${unknown}"`,
    )
    const first = (await viewer.get('/ext/v1/users?name=e&limit=3')).body
    const rest = await viewer.get(`/ext/v1/users?page_token=${encodeURIComponent(first.next_page)}`)
    expect(namesOf(rest)).toEqual(['viewer'])
  })

  test('with arbitrary names from an identity provider can be paged', async () => {
    const siloId = await bed.addSilo('odd-names')
    const odd = ['Ünal, "Öz" <o@example.com>', '%_\\', "' OR 1=1 --", '漢字', ' ', 'CN=x, OU='.repeat(50)]
    for (const external_id of odd)
      await bed.db
        .insertInto('silo_user')
        .values({
          id: crypto.randomUUID(),
          time_created: new Date(),
          time_modified: new Date(),
          silo_id: siloId,
          external_id,
        })
        .execute()
    const seen: string[] = []
    let page = await operator.get('/ext/v1/users?silo=odd-names&limit=1')
    while (page.body.items.length > 0) {
      seen.push(...namesOf(page))
      page = await operator.get(`/ext/v1/users?limit=1&page_token=${encodeURIComponent(page.body.next_page)}`)
    }
    expect(seen.toSorted()).toEqual(odd.toSorted())
  })

  test('refuse a token with a name that the database cannot store', async () => {
    const { next_page } = (await operator.get('/ext/v1/users?limit=1')).body
    const marker = JSON.parse(atob(next_page.replaceAll('-', '+').replaceAll('_', '/')))
    const send = (last: string) =>
      operator.get(`/ext/v1/users?page_token=${btoa(JSON.stringify({ ...marker, last }))}`)
    expect(said(await send('a'))).toBe('200')
    for (const last of ['a\0', 'x'.repeat(1000)])
      expect(said(await send(last))).toBe('400 unable to parse query string: invalid page token')
  })

  test('show only fleet and project roles that the caller may read', async () => {
    const all = (await viewer.get('/ext/v1/users')).body.items
    expect(all.map(({ roles }: { roles: { fleet: unknown } }) => roles.fleet)).toEqual(all.map(() => null))
    const outsider = await bed.addUser('outsider')
    expect(said(await outsider.get('/ext/v1/users?project=playground'))).toBe(
      '404 not found: project with name "playground"',
    )
    const path = `/ext/v1/users/${ids.ines}/effective-roles`
    expect((await outsider.get(path)).body.projects).toEqual([])
    expect((await viewer.get(path)).body.projects).toMatchObject([{ name: 'playground', role_name: 'admin' }])
    expect(said(await outsider.get(`${path}?project=playground`))).toBe(
      '404 not found: project with name "playground"',
    )
  })

  test('of other silos are visible to callers who may read those, without their contents', async () => {
    const siloId = await bed.addSilo('neighbour', { viewer: ['viewer'] })
    const person = await bed.addUser('person', { siloId, roles: [{ at: 'silo', role: 'collaborator' }] })
    await person.post('/v1/projects', { name: 'theirs', description: '' })
    const { items } = (await operator.get('/ext/v1/users?silo=neighbour')).body
    expect(items).toMatchObject([{ display_name: 'person', silo_id: siloId, roles: { projects: [] } }])
    expect(explained(items[0].roles.fleet)).toEqual(['viewer as silo collaborator by self'])
    expect(said(await viewer.get('/ext/v1/users?silo=neighbour'))).toBe(
      '404 not found: silo with name "neighbour"',
    )
    expect(said(await operator.get('/ext/v1/users?silo=neighbour&project=playground'))).toBe(
      '404 not found: project with name "playground"',
    )
    expect(said(await operator.get(`/ext/v1/users/${person.id}/effective-roles`))).toBe(
      `404 not found: silo-user with id "${person.id}"`,
    )
  })

  test('of one identity cover all projects, or the requested one', async () => {
    await member.post('/v1/projects', { name: 'second', description: '' })
    const grant = { identity_type: 'silo_group', identity_id: ids.engineers, role_name: 'viewer' }
    await member.call('PUT', '/v1/projects/second/policy', { role_assignments: [grant] })
    const path = `/ext/v1/groups/${ids.engineers}/effective-roles`
    const named = ({ body }: Answer) =>
      body.projects.map((one: { name: string; role_name: string }) => [one.name, one.role_name])
    expect(named(await viewer.get(path))).toEqual([
      ['playground', 'collaborator'],
      ['second', 'viewer'],
    ])
    expect(named(await viewer.get(`${path}?project=second`))).toEqual([['second', 'viewer']])
    // Without an assignment of its own, a project still has the silo's.
    const auditors = `/ext/v1/groups/${ids.auditors}/effective-roles`
    expect(named(await viewer.get(auditors))).toEqual([])
    expect(named(await viewer.get(`${auditors}?project=second`))).toEqual([['second', 'viewer']])
    await member.call('DELETE', '/v1/vpc-subnets/default?project=second&vpc=default')
    await member.call('DELETE', '/v1/vpcs/default?project=second')
    expect(said(await member.call('DELETE', '/v1/projects/second'))).toBe('204')
    expect(named(await viewer.get(path))).toEqual([['playground', 'collaborator']])
  })
})

describe("the caller's permissions", () => {
  const can = async (who: Caller, checks: object[]) =>
    (await who.post('/ext/v1/can', { checks })).body.verdicts
  const check = (action: string, object: string, id?: string) => ({ action, object, ...(id ? { id } : {}) })

  test('come with the assignment that allows the action', async () => {
    const omar = await bed.signIn('omar')
    const [silo, create, read, fleet] = await can(omar, [
      check('read', 'silo'),
      check('create_child', 'project', 'playground'),
      check('list_children', 'silo'),
      check('read', 'fleet'),
    ])
    expect(silo).toEqual({ allowed: true, reason: null, grant: { by: 'member', source: null }, missing: [] })
    expect(create).toEqual({
      allowed: true,
      reason: null,
      grant: {
        by: 'project',
        source: {
          role_name: 'collaborator',
          assigned_on: 'project',
          assigned_role: 'collaborator',
          group: { id: ids.engineers, display_name: 'engineers' },
        },
      },
      missing: [],
    })
    expect(read.grant).toMatchObject({ by: 'silo', source: { group: { display_name: 'auditors' } } })
    expect(fleet).toEqual({
      allowed: false,
      reason: 'You need the role viewer on the fleet',
      grant: null,
      missing: [{ role_name: 'viewer', on: 'fleet', name: null }],
    })
  })

  test('or with the sufficient roles, by the names of their objects', async () => {
    expect(await can(viewer, [check('modify', 'project', ids.playground), check('modify', 'silo')])).toEqual([
      {
        allowed: false,
        reason: 'You need the role admin on project playground or collaborator on silo demo',
        grant: null,
        missing: [
          { role_name: 'admin', on: 'project', name: 'playground' },
          { role_name: 'collaborator', on: 'silo', name: 'demo' },
        ],
      },
      {
        allowed: false,
        reason: 'You need the role admin on silo demo or collaborator on the fleet',
        grant: null,
        missing: [
          { role_name: 'admin', on: 'silo', name: 'demo' },
          { role_name: 'collaborator', on: 'fleet', name: null },
        ],
      },
    ])
  })

  test('are denied for a hidden object, without revealing anything about it', async () => {
    const ines = await bed.signIn('ines')
    const siloId = await bed.addSilo('stranger')
    const hidden = { allowed: false, grant: null, missing: [] }
    await member.post('/v1/projects', { name: 'hidden', description: '' })
    expect(
      await can(ines, [
        check('read', 'project', 'hidden'),
        check('read', 'project', 'missing'),
        check('read', 'project'),
        check('read', 'silo', siloId),
        check('list_children', 'silo_user', 'stranger'),
      ]),
    ).toMatchObject(Array(5).fill(hidden))
  })

  test('match what the operations require, for every kind of object', async () => {
    const objects = ['silo', 'silo_user', 'silo_group', 'silo_image', 'identity_provider', 'certificate']
    const checks = objects.map((object) => check('create_child', object))
    const answers = async (who: Caller) =>
      (await can(who, checks)).map(({ allowed }: { allowed: boolean }) => allowed)
    expect(await answers(operator)).toEqual([true, true, true, true, true, true])
    expect(await answers(member)).toEqual([true, false, false, true, false, false])
    expect(await answers(viewer)).toEqual([false, false, false, false, false, false])
    const credentials = [check('modify', 'user_credentials')]
    expect((await can(operator, credentials))[0].allowed).toBe(true)
    expect((await can(member, credentials))[0].allowed).toBe(false)
    // In another silo an operator has only what the fleet role grants.
    await bed.addSilo('afar')
    const afar = objects.map((object) => check('create_child', object, 'afar'))
    const verdicts = await can(operator, afar)
    expect(verdicts.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ])
    expect(verdicts[1].grant).toMatchObject({ by: 'fleet', source: { assigned_on: 'fleet' } })
  })

  test('of the deletion of a silo depend on fleet roles that its users hold', async () => {
    const siloId = await bed.addSilo('founders')
    const admin = await bed.addUser('founder', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
    const deletion = [check('modify', 'silo_deletion')]
    expect(await can(admin, deletion)).toMatchObject([{ allowed: true }])
    await bed.addUser('founding-operator', {
      siloId,
      roles: [{ at: 'fleet', role: 'viewer' }],
      through: 'group',
    })
    const [verdict] = await can(admin, deletion)
    expect(verdict).toMatchObject({ allowed: false, missing: [{ on: 'fleet', role_name: 'admin' }] })
    expect(verdict.reason).toContain('fleet')
    expect(await can(operator, [check('modify', 'silo_deletion', 'founders')])).toMatchObject([
      { allowed: true },
    ])
  })

  test('include fleet roles mapped by the silo, with their source', async () => {
    const siloId = await bed.addSilo('mapping', { collaborator: ['viewer'] })
    const person = await bed.addUser('mapped', {
      siloId,
      roles: [{ at: 'silo', role: 'admin' }],
      through: 'group',
    })
    const [verdict] = await can(person, [check('list_children', 'fleet')])
    expect(verdict.grant).toMatchObject({
      by: 'fleet',
      source: {
        role_name: 'viewer',
        assigned_on: 'silo',
        assigned_role: 'admin',
        group: { display_name: 'mapped-group' },
      },
    })
  })

  test('follow a role change at once', async () => {
    const person = await bed.addUser('climber')
    const allowed = async () => (await can(person, [check('modify', 'fleet')]))[0].allowed
    expect(await allowed()).toBe(false)
    const path = '/v1/system/policy'
    const { role_assignments } = (await operator.get(path)).body
    const role = { identity_type: 'silo_user', identity_id: person.id, role_name: 'admin' }
    await operator.call('PUT', path, { role_assignments: [...role_assignments, role] })
    expect(await allowed()).toBe(true)
    await operator.call('PUT', path, { role_assignments })
    expect(await allowed()).toBe(false)
  })
})
