import type { ActivityEntry } from '@gantry/api/history/activity'
import type { ListPreference } from '@gantry/api/views/list-preference'
import { listPreferenceLimits } from '@gantry/api/views/list-preference.rules'
import { expect } from 'vitest'
import { test } from '../../testing/bed.ts'
import { type Caller, said } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

const at = '/ext/v1/shared-views'
const preferences = '/ext/v1/me/list-preferences'
const state = { id: 'state', is_shown: true, width: 200 }
const view = (name: string, more: object = {}) => ({
  list: 'instances',
  name,
  filter: 'state:failed',
  sort: '-created',
  columns: [state],
  ...more,
})
const namesOf = async (who: Caller, query: string): Promise<string[]> =>
  (await who.get(`${at}?${query}`)).body.items.map(({ name }: { name: string }) => name).toSorted()
const projectOf = (who: Caller, name: string) => made(who, '/v1/projects', { name, description: '' })

test('views are shared in a project and in the silo, by those who may change something there', async ({
  bed,
}) => {
  const [member, viewer] = [await bed.signIn('member'), await bed.signIn('viewer')]
  const name = 'commons'
  const project = await projectOf(member, name)
  const inProject = (role: 'viewer' | 'collaborator') =>
    bed.addUser(`project-${role}`, { roles: [{ at: { project }, role }] })
  const [reader, writer, guest] = [
    await inProject('viewer'),
    await inProject('collaborator'),
    await bed.addUser('stranger'),
  ]
  const own = await writer.post(`${at}?project=${name}`, view('Failed in prod'))
  expect(own.status, said(own)).toBe(201)
  expect(own.body).toMatchObject({
    ...view('Failed in prod'),
    project_id: project,
    shared_by: { id: writer.id, name: 'project-collaborator' },
  })
  const everywhere = await member.post(at, view('Failed in prod'))
  expect(everywhere.body.project_id).toBe(null)
  await member.post(`${at}?project=${name}`, view('Old', { list: 'disks' }))

  expect(await namesOf(reader, `project=${name}`)).toEqual(['Failed in prod', 'Old'])
  expect(await namesOf(reader, `project=${name}&list=disks`)).toEqual(['Old'])
  expect(await namesOf(viewer, 'list=instances')).toContain('Failed in prod')
  expect(said(await guest.get(`${at}?project=${name}`))).toBe(`404 not found: project with name "${name}"`)
  expect(said(await reader.get(at))).toBe('403 Forbidden')
  const path = `${at}/${own.body.id}`
  expect((await reader.get(path)).status).toBe(200)
  expect(said(await guest.get(path))).toBe(`404 not found: shared-view with id "${own.body.id}"`)
  expect(said(await reader.call('PUT', path, { name: 'Mine' }))).toBe('403 Forbidden')
  expect(said(await reader.call('DELETE', path))).toBe('403 Forbidden')
  expect(said(await reader.post(`${at}?project=${name}`, view('Another')))).toBe('403 Forbidden')
  expect(said(await writer.post(at, view('Another')))).toBe('403 Forbidden')
  expect(said(await viewer.call('DELETE', `${at}/${everywhere.body.id}`))).toBe('403 Forbidden')
  expect((await member.call('DELETE', `${at}/${everywhere.body.id}`)).status).toBe(204)
  // A view is no network.
  const limited = await bed.addUser('limited', { roles: [{ at: 'silo', role: 'limited_collaborator' }] })
  const shared = await limited.post(at, view('Of one who is limited'))
  expect(said(shared)).toBe('201')
  expect((await limited.call('DELETE', `${at}/${shared.body.id}`)).status).toBe(204)
})

test('names of shared views are checked, and unique in their list and place', async ({ bed }) => {
  const member = await bed.signIn('member')
  const share = (body: object) => member.post(`${at}?project=playground`, body)
  const first = (await share(view('Unique'))).body
  expect(said(await share(view('UNIQUE')))).toBe('400 already exists: shared-view "UNIQUE"')
  expect((await share(view('Unique', { list: 'disks' }))).status).toBe(201)
  const second = (await share(view('Second'))).body
  const rename = (to: string) => member.call('PUT', `${at}/${second.id}`, { name: to })
  expect(said(await rename('unique'))).toBe('400 already exists: shared-view "unique"')
  expect(said(await rename(' '))).toMatch(/^400 .*Give the view a name/)
  expect(said(await rename('x'.repeat(listPreferenceLimits.viewNameLength + 1)))).toMatch(/^400 .*63/)
  expect(said(await share(view('Bad', { list: 'In Stances' })))).toMatch(/^400 .*lower-case letters/)
  expect(said(await member.get(`${at}/Second`))).toMatch(/^400 .*UUID/)
  // Its name is free again at once.
  await member.call('DELETE', `${at}/${first.id}`)
  expect((await rename('Unique')).body).toMatchObject({ name: 'Unique', filter: 'state:failed' })
  const at_once = await Promise.all(Array.from({ length: 6 }, () => share(view('At once'))))
  expect(at_once.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(at_once.filter(({ status }) => status === 400)).toHaveLength(5)
})

test('who has not seen the latest version does not overwrite it', async ({ bed }) => {
  const member = await bed.signIn('member')
  const { body, headers } = await member.post(`${at}?project=playground`, view('Edited by two'))
  const path = `${at}/${body.id}`
  const seen = { 'if-match': headers.get('etag') ?? '' }
  const answers = await Promise.all(
    ['first', 'second'].map((word) => member.call('PUT', path, { filter: word }, seen)),
  )
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 412]))
  expect(said(await member.call('DELETE', path, undefined, seen))).toMatch(/^412 /)
  const latest = (await member.get(path)).headers.get('etag') ?? ''
  expect((await member.call('PUT', path, { sort: 'name' }, { 'if-match': latest })).body).toMatchObject({
    name: 'Edited by two',
    sort: 'name',
    columns: [state],
  })
})

test('each user pins shared views and chooses defaults, which show what they are now', async ({ bed }) => {
  const [member, viewer] = [await bed.signIn('member'), await bed.signIn('viewer')]
  const one = (await member.post(`${at}?project=playground`, view('Pinned'))).body
  const other = (await member.post(`${at}?project=playground`, view('Other'))).body
  const ofSilo = (await member.post(at, view('Of the silo'))).body
  const choice = (id: string, is_pinned: boolean, is_default = false) => ({ id, is_pinned, is_default })
  const choose = (...shared_views: object[]) =>
    viewer.call('PUT', `${preferences}/instances`, { shared_views })
  const chosen = async (who: Caller) =>
    (await who.get(preferences)).body.items.flatMap(({ shared_views }: ListPreference) =>
      shared_views.map(
        (each) =>
          `${each.name} in ${each.project_name}${each.is_pinned ? ', pinned' : ''}${each.is_default ? ', default' : ''}`,
      ),
    )
  const answer = await choose(
    choice(ofSilo.id, true, true),
    choice(one.id, true, true),
    choice(other.id, false),
  )
  expect(answer.body.shared_views[1]).toEqual({
    ...choice(one.id, true, true),
    name: 'Pinned',
    filter: 'state:failed',
    sort: '-created',
    columns: [state],
    project_name: 'playground',
  })
  expect(await chosen(viewer)).toEqual([
    'Of the silo in null, pinned, default',
    'Pinned in playground, pinned, default',
  ])
  expect(await chosen(member)).toEqual([])
  await member.call('PUT', `${at}/${one.id}`, { name: 'Renamed' })
  expect(await chosen(viewer)).toContain('Renamed in playground, pinned, default')
  expect(said(await choose(choice(one.id, true, true), choice(other.id, true, true)))).toBe(
    '400 Two shared views of one place are the default.',
  )
  expect(said(await choose(choice(one.id, true), choice(one.id, true)))).toMatch(/^400 .*is named twice/)
  // Other preferences of the list, and choices of other lists, stay.
  await viewer.call('PUT', `${preferences}/instances`, { is_dense: true })
  await viewer.call('PUT', `${preferences}/disks`, { shared_views: [choice(one.id, true)] })
  expect(await chosen(viewer)).toHaveLength(2)
  await viewer.call('PUT', `${preferences}/instances`, { is_dense: false })

  // Of a project that the user may not see, nothing is told.
  const hidden = await projectOf(member, 'hidden-views')
  const guest = await bed.addUser('pinner', { roles: [{ at: { project: hidden }, role: 'viewer' }] })
  const secret = (await member.post(`${at}?project=hidden-views`, view('Secret'))).body
  const pin = [choice(secret.id, true), choice(one.id, true), choice(crypto.randomUUID(), true)]
  await guest.call('PUT', `${preferences}/instances`, { shared_views: pin })
  expect(await chosen(guest)).toEqual(['Secret in hidden-views, pinned'])
  const policy = (await member.get('/v1/projects/hidden-views/policy')).body
  await member.call('PUT', '/v1/projects/hidden-views/policy', { ...policy, role_assignments: [] })
  expect(await chosen(guest)).toEqual([])

  await member.call('DELETE', `${at}/${one.id}`)
  expect(await chosen(viewer)).toEqual(['Of the silo in null, pinned, default'])
  await choose()
  expect((await viewer.get(preferences)).body.items).toEqual([])
})

test('the shared views of a project go with it, and come back with it', async ({ bed }) => {
  const member = await bed.signIn('member')
  const project = await projectOf(member, 'brief')
  const { id } = (await member.post('/ext/v1/shared-views?project=brief', view('Brief'))).body
  await member.call('PUT', `${preferences}/instances`, {
    shared_views: [{ id, is_pinned: true, is_default: false }],
  })
  expect((await member.call('DELETE', '/v1/vpc-subnets/default?project=brief&vpc=default')).status).toBe(204)
  expect((await member.call('DELETE', '/v1/vpcs/default?project=brief')).status).toBe(204)
  const gone = await member.call('DELETE', '/v1/projects/brief')
  expect(gone.status, said(gone)).toBe(204)
  expect((await member.get(`${at}/${id}`)).status).toBe(404)
  expect((await member.get(preferences)).body.items).toEqual([])
  const { items } = (await member.get('/ext/v1/recycle-bin')).body
  const item = items.find(({ object_id }: { object_id: string }) => object_id === project)
  expect(item.parts).toEqual({ 'shared-view': 1 })
  expect((await member.post(`/ext/v1/recycle-bin/${item.id}/restore`, {})).status).toBeLessThan(300)
  expect(await namesOf(member, 'project=brief')).toEqual(['Brief'])
  expect((await member.get(preferences)).body.items).toHaveLength(1)
})

test('activity tells of shared views, and takes edits back', async ({ bed }) => {
  const member = await bed.signIn('member')
  const { id } = (await member.post(`${at}?project=playground`, view('Told'))).body
  await member.call('PUT', `${at}/${id}`, { filter: 'state:running' })
  const told = async (): Promise<ActivityEntry[]> =>
    (await member.get(`/ext/v1/activity?project=playground&object=${id}`)).body.items
  const [edit, creation] = await told()
  expect([edit, creation].map((entry) => entry?.changes[0]?.action)).toEqual(['edited', 'created'])
  const path = `/ext/v1/activity/${edit?.id}/revert`
  const { hash } = (await member.get(path)).body
  const reverted = await member.post(path, { hash, keep: [] })
  expect(reverted.status, said(reverted)).toBe(204)
  expect((await member.get(`${at}/${id}`)).body.filter).toBe('state:failed')
})

test('a project has a limited number of shared views', async ({ bed }) => {
  const member = await bed.signIn('member')
  await projectOf(member, 'crowded')
  const project = (await member.get('/v1/projects/crowded')).body
  const me = (await member.get('/v1/me')).body
  const row = (number: number) => ({
    id: crypto.randomUUID(),
    name: `view ${number}`,
    silo_id: me.silo_id,
    project_id: project.id,
    shared_by: me.id,
    list: 'instances',
    filter: '',
    sort: '',
    columns: '[]',
    time_created: new Date(),
    time_modified: new Date(),
  })
  const rows = Array.from({ length: 200 }, (_, number) => row(number))
  await bed.db.insertInto('shared_view').values(rows).execute()
  expect(said(await member.post(`${at}?project=crowded`, view('One more')))).toBe(
    '507 Insufficient capacity: the project already has the maximum of 200 shared views',
  )
})
