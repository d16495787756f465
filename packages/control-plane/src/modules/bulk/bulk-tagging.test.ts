import type { BulkTagging } from '@gantry/api/tags/bulk-tagging'
import { eventually } from '@gantry/control-plane/testing/control-plane'
import { test } from '@gantry/control-plane/testing/bed'
import { type Caller, said } from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'
import { expect } from 'vitest'

const url = '/ext/v1/bulk-taggings'
const blank = { description: '', size: 2 ** 30, disk_source: { type: 'blank', block_size: 512 } }
const disk = (who: Caller, project: string, name: string) =>
  made(who, `/v1/disks?project=${project}`, { ...blank, name })
const ended = async (who: Caller, id: string): Promise<BulkTagging> =>
  (
    await eventually(
      () => who.get(`${url}/${id}`),
      ({ body }) => body.state === 'done',
    )
  ).body
const results = ({ items }: BulkTagging): string[] =>
  items.map(({ object, state, error }) => `${object.name ?? object.id} ${error?.message ?? state}`)
const tagsOf = async (who: Caller, id: string): Promise<string> =>
  (await who.get(`/ext/v1/tags/${id}?kind=disk`)).body.tags
    .map(({ key, value }: { key: string; value: string }) => `${key}=${value}`)
    .join(' ')
const set = [{ key: 'env', value: 'prod' }]

test('all that match get and lose tags, or the objects that are named, one result each', async ({
  bed,
  member,
}) => {
  await made(member, '/v1/projects', { name: 'tagged', description: '' })
  const ids: string[] = []
  for (const name of ['old-1', 'old-2', 'new-1']) ids.push(await disk(member, 'tagged', name))
  const [one = '', two = '', other = ''] = ids
  await member.call('PUT', `/ext/v1/tags/${one}?kind=disk`, { tags: [{ key: 'owner', value: 'me' }] })
  const ask = (body: object, who = member, query = '?project=tagged') =>
    who.post(`${url}${query}`, { kind: 'disk', ...body })
  const asked = await ask({ filter: 'name:old-*', at_most: 2, set, remove: ['owner'] })
  expect(asked.status, said(asked)).toBe(202)
  const done = await ended(member, asked.body.id)
  expect(results(done)).toEqual(['old-1 done', 'old-2 done'])
  expect(done).toMatchObject({ kind: 'disk', set, remove: ['owner'] })
  expect([await tagsOf(member, one), await tagsOf(member, two), await tagsOf(member, other)]).toEqual([
    'env=prod',
    'env=prod',
    '',
  ])
  const gone = crypto.randomUUID()
  const named = (await ask({ objects: [other, gone, other], set })).body
  expect(results(await ended(member, named.id))).toEqual([
    'new-1 done',
    `${gone} not found: disk with id "${gone}"`,
  ])
  // It is a task of its own, and no action on instances or deletion.
  const { items } = (await member.get('/ext/v1/tasks?limit=5')).body
  expect(items[0]).toMatchObject({
    verb: 'tag',
    state: 'failed',
    count: 2,
    actions: [{ action: 'retry', operation: 'bulk_tagging_retry' }],
  })
  expect((await member.get(`/ext/v1/bulk-deletions/${named.id}`)).status).toBe(404)
  expect((await member.get(`/ext/v1/instance-actions/${named.id}`)).status).toBe(404)
  const again = (await member.post(`${url}/${named.id}/retry`)).body
  expect(results(await ended(member, again.id))).toHaveLength(1)
  expect(said(await member.post(`${url}/${named.id}/cancel`))).toMatch(/^409 /)

  expect(said(await ask({ filter: 'name:old-*', at_most: 1, set }))).toBe('409 2 disks match by now')
  expect(said(await ask({ filter: 'name:none-*', set }))).toBe('409 no disk that matches can get tags now')
  expect(said(await ask({ filter: 'colour:red', set }))).toContain('There is no field colour here')
  expect(said(await ask({ set }))).toBe('400 either objects or a filter must be given')
  expect(said(await ask({ filter: '' }))).toBe('400 at least one tag must be set or removed')
  expect(said(await ask({ filter: '', set, remove: ['env'] }))).toBe(
    '400 the key "env" is both set and removed',
  )
  expect(said(await ask({ filter: '', set: [{ key: 'gantry.x', value: '' }] }))).toMatch(/^(202|400)/)
  // What belongs to the platform is refused by each object, as by the single edit.
  const reserved = (await ask({ objects: [one], set: [{ key: 'gantry.x', value: '' }] })).body
  expect(results(await ended(member, reserved.id))).toEqual([
    'old-1 the tag "gantry.x" belongs to the platform',
  ])
  expect(bed.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('of several projects, each object is edited with the rights that the caller has there', async ({
  bed,
  member,
}) => {
  const projects: Record<string, string> = {}
  const ids: Record<string, string> = {}
  for (const name of ['write', 'read', 'none']) {
    projects[name] = await made(member, '/v1/projects', { name: `can-${name}`, description: '' })
    ids[name] = await disk(member, `can-${name}`, `in-${name}`)
  }
  const person = await bed.addUser('tagger', {
    roles: [
      { at: { project: projects.write ?? '' }, role: 'collaborator' },
      { at: { project: projects.read ?? '' }, role: 'viewer' },
    ],
  })
  const { body } = await person.post(url, { kind: 'disk', filter: 'name:in-*', set })
  expect(results(await ended(person, body.id))).toEqual(['in-read Forbidden', 'in-write done'])
  expect(await tagsOf(member, ids.read ?? '')).toBe('')
  expect(await tagsOf(member, ids.write ?? '')).toBe('env=prod')
  expect((await member.get(`${url}/${body.id}`)).status).toBe(404)
  expect(said(await person.post(`${url}?project=can-none`, { kind: 'disk', filter: '', set }))).toBe(
    '404 not found: project with name "can-none"',
  )
})

test('edits of the same objects at once are all done', async ({ member }) => {
  await made(member, '/v1/projects', { name: 'at-once', description: '' })
  const ids: string[] = []
  for (let number = 1; number <= 4; number++) ids.push(await disk(member, 'at-once', `d-${number}`))
  const asked = await Promise.all(
    ['a', 'b', 'c'].map((key) =>
      member.post(`${url}?project=at-once`, { kind: 'disk', objects: ids, set: [{ key, value: '1' }] }),
    ),
  )
  for (const { body } of asked)
    expect(new Set((await ended(member, body.id)).items.map(({ state }) => state))).toEqual(new Set(['done']))
  for (const id of ids) expect(await tagsOf(member, id)).toBe('a=1 b=1 c=1')
})
