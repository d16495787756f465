import { favouriteKinds, maxFavourites } from '@gantry/api/views/favourite.rules'
import { expect } from 'vitest'
import { test } from '../../testing/bed.ts'
import type { Caller } from '../../testing/control-plane.ts'
import { furnishProject, made } from '../../testing/hidden-things.ts'

const at = '/ext/v1/favourites'
const add = (who: Caller, kind: string, id: string) => who.call('PUT', `${at}/${id}?kind=${kind}`)
const namesOf = async (who: Caller): Promise<string[]> =>
  (await who.get(at)).body.items.map(
    ({ kind, name, project_name }: Record<string, string | null>) => `${kind} ${name} in ${project_name}`,
  )
const projectOf = (who: Caller, name: string) => made(who, '/v1/projects', { name, description: '' })

test('favourites of every kind are kept for each user, with their present names', async ({ bed }) => {
  const [member, viewer] = [await bed.signIn('member'), await bed.signIn('viewer')]
  const ids = await furnishProject(member, 'marina')
  const idOf: Record<(typeof favouriteKinds)[number], string | undefined> = {
    project: ids.project,
    instance: ids.instance,
    disk: ids.disk,
    snapshot: ids.snapshot,
    'instance-snapshot': ids.instance_snapshot,
    image: ids.image,
    'floating-ip': ids.floating_ip,
    'external-subnet': ids.external_subnet,
    vpc: ids.vpc,
  }
  for (const kind of favouriteKinds)
    expect((await add(member, kind, idOf[kind] ?? '')).status, kind).toBe(200)
  expect((await namesOf(member)).toSorted().map((each) => each.split(' ')[0])).toEqual(
    favouriteKinds.toSorted(),
  )
  expect(await namesOf(member)).toContain('project marina in null')
  expect(await namesOf(viewer)).toEqual([])
  // Again, it stays where it is in the list.
  const before = await namesOf(member)
  await add(member, 'project', ids.project ?? '')
  expect(await namesOf(member)).toEqual(before)
  await member.call('PUT', '/v1/projects/marina', { name: 'quayside' })
  expect(await namesOf(member)).toContain('project quayside in null')
  expect((await member.call('DELETE', `${at}/${ids.project}`)).status).toBe(204)
  expect((await member.call('DELETE', `${at}/${ids.project}`)).status).toBe(404)
  expect(await namesOf(member)).toHaveLength(favouriteKinds.length - 1)
})

test('what is unknown, hidden or of another kind cannot become a favourite', async ({ bed }) => {
  const member = await bed.signIn('member')
  const guest = await bed.addUser('passenger')
  const project = await projectOf(member, 'cove')
  const refusal = async (who: Caller, kind: string, id: string) => {
    const { status, body } = await add(who, kind, id)
    return `${status} ${body.message}`
  }
  expect(await refusal(member, 'sled', project)).toMatch(/^400 .*kind/)
  expect(await refusal(member, 'project', 'cove')).toMatch(/^400 /)
  const unknown = crypto.randomUUID()
  expect(await refusal(member, 'project', unknown)).toBe(`404 not found: project with id "${unknown}"`)
  expect(await refusal(member, 'disk', project)).toBe(`404 not found: disk with id "${project}"`)
  expect(await refusal(guest, 'project', project)).toBe(`404 not found: project with id "${project}"`)
})

test('what is deleted or may not be seen any more is absent, and comes back with the right to see it', async ({
  bed,
}) => {
  const member = await bed.signIn('member')
  const project = await projectOf(member, 'strait')
  const guest = await bed.addUser('pilot', { roles: [{ at: { project }, role: 'viewer' }] })
  const blank = { size: 2 ** 30, disk_source: { type: 'blank', block_size: 4096 } }
  const disk = await made(member, '/v1/disks?project=strait', { name: 'log', description: '', ...blank })
  await add(guest, 'project', project)
  await add(guest, 'disk', disk)
  expect(await namesOf(guest)).toEqual(['disk log in strait', 'project strait in null'])
  const policy = (await member.get('/v1/projects/strait/policy')).body
  const none = { ...policy, role_assignments: [] }
  expect((await member.call('PUT', '/v1/projects/strait/policy', none)).status).toBe(200)
  expect(await namesOf(guest)).toEqual([])
  await member.call('PUT', '/v1/projects/strait/policy', policy)
  expect(await namesOf(guest)).toHaveLength(2)
  expect((await member.call('DELETE', '/v1/disks/log?project=strait')).status).toBe(204)
  expect(await namesOf(guest)).toEqual(['project strait in null'])
})

test('favourites are bounded, also at once, and what is gone makes room', async ({ bed }) => {
  const member = await bed.signIn('member')
  const person = await bed.addUser('magpie', { roles: [{ at: 'silo', role: 'viewer' }] })
  const projects = await Promise.all(
    Array.from({ length: 3 }, (_, index) => projectOf(member, `nest-${index}`)),
  )
  const row = (object_id: string) => ({
    silo_user_id: person.id,
    object_id,
    kind: 'project' as const,
    time_created: new Date(0),
  })
  // Nothing else is seen of these.
  const gone = Array.from({ length: maxFavourites - 2 }, () => row(crypto.randomUUID()))
  await bed.db
    .insertInto('favourite')
    .values([...gone, row(projects[0] ?? '')])
    .execute()
  const answers = await Promise.all(projects.map((id) => add(person, 'project', id)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await namesOf(person)).toHaveLength(3)
  const kept = () =>
    bed.db.selectFrom('favourite').selectAll().where('silo_user_id', '=', person.id).execute()
  expect(await kept()).toHaveLength(3)

  const blank = { size: 2 ** 30, disk_source: { type: 'blank', block_size: 4096 } }
  const disks: string[] = []
  for (let index = 0; index < maxFavourites - 2; index++)
    disks.push(
      await made(member, '/v1/disks?project=nest-0', { name: `egg-${index}`, description: '', ...blank }),
    )
  const more = await Promise.all(disks.map((id) => add(person, 'disk', id)))
  const refused = more.filter(({ status }) => status !== 200)
  expect(refused.map(({ status, body }) => `${status} ${body.message}`)).toEqual([
    `400 You have ${maxFavourites} favourites, which is the limit.`,
  ])
  expect(await kept()).toHaveLength(maxFavourites)
  await person.call('DELETE', `${at}/${projects[0]}`)
  expect((await add(person, 'disk', disks.at(-1) ?? '')).status).toBe(200)

  const admin = await bed.signIn('admin')
  const path = `/v1/system/identity-providers/local/users/${person.id}?silo=demo`
  expect((await admin.call('DELETE', path)).status).toBe(204)
  expect(await kept()).toEqual([])
})
