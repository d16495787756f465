import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../network/fixtures.ts'
import { affinityHttp } from './http.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
}, 60_000)
afterAll(() => world.close())

test('the groups of a project, and those of an instance, page by page', async () => {
  const instance = await world.addInstance('web')
  const groups = await world.run(async (tx) => {
    const made = []
    for (const name of ['apart', 'between', 'close'])
      made.push(
        await tx.insert('anti_affinity_group', {
          name,
          description: '',
          project_id: world.project.id,
          policy: 'fail',
          failure_domain: 'sled',
        }),
      )
    for (const { id, name } of made)
      if (name !== 'between')
        await tx.plain
          .insertInto('anti_affinity_member')
          .values({ group_id: id, instance_id: instance.id })
          .execute()
    return made
  })
  const body = undefined
  const project = 'project'
  const names = (answer: unknown) => (answer as { items: { name: string }[] }).items.map((item) => item.name)

  const all = await affinityHttp.antiAffinityGroupList(world.cx(), { path: {}, query: { project }, body })
  expect(names(all)).toEqual(['apart', 'between', 'close'])
  const path = { instance: 'web' }
  const first = await affinityHttp.instanceAntiAffinityGroupList(world.cx(), {
    path,
    query: { project, limit: 1 },
    body,
  })
  expect(names(first)).toEqual(['apart'])
  const { next_page } = first as { next_page: string | null }
  const rest = await affinityHttp.instanceAntiAffinityGroupList(world.cx(), {
    path,
    query: { page_token: next_page },
    body,
  })
  expect(names(rest)).toEqual(['close'])

  const one = { path: { anti_affinity_group: groups[1]?.id ?? '' }, query: {}, body }
  expect(await affinityHttp.antiAffinityGroupView(world.cx(), one)).toMatchObject({
    name: 'between',
    project_id: world.project.id,
    policy: 'fail',
    failure_domain: 'sled',
  })
})
