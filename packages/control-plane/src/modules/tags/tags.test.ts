import type { ActivityEntry } from '@gantry/api/history/activity'
import type { Tags } from '@gantry/api/tags/tag'
import { fleetTaggedKinds, isFleetTagged, type TaggedKind, taggedKinds } from '@gantry/api/tags/tag.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDisk } from '../../testing/case-values.ts'
import { type Caller, eventually, said, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { furnishProject, made } from '../../testing/hidden-things.ts'
import { tableOf } from '../../lookup/table-of.ts'

let bed: TestBed
let member: Caller
let viewer: Caller
let admin: Caller
let outsider: Caller
/** One of each kind in project `tagged`, by selector. */
let ids: Record<string, string>
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  admin = await bed.signIn('admin')
  outsider = await bed.addUser('outsider')
  ids = await furnishProject(member, 'tagged')
  const first = (table: 'sled' | 'silo') => bed.db.selectFrom(table).select('id').executeTakeFirstOrThrow()
  const pool = bed.db.selectFrom('ip_pool').select('id').where('is_service', '=', false)
  ids.sled = (await first('sled')).id
  ids['ip-pool'] = (await pool.executeTakeFirstOrThrow()).id
  ids.silo = (await member.get('/v1/me')).body.silo_id
})
afterAll(() => bed.stop())

const selectors: Partial<Record<TaggedKind, string>> = {
  'instance-network-interface': 'interface',
  'vpc-subnet': 'subnet',
  'vpc-router': 'router',
  'router-route': 'route',
  'internet-gateway': 'gateway',
  'ip-pool': 'ip-pool',
}
const idOf = (kind: TaggedKind): string => ids[selectors[kind] ?? kind.replaceAll('-', '_')] ?? ''
const tagsOf = (tags: Record<string, string>) => Object.entries(tags).map(([key, value]) => ({ key, value }))
const address = (kind: TaggedKind, id = idOf(kind)) => `/ext/v1/tags/${id}?kind=${kind}`
const set = (kind: TaggedKind, id: string, tags: Record<string, string>, by = member, etag?: string) =>
  by.call('PUT', address(kind, id), { tags: tagsOf(tags) }, etag === undefined ? {} : { 'if-match': etag })
const view = async (kind: TaggedKind, id: string, by = viewer): Promise<Tags['tags']> =>
  (await by.get(address(kind, id))).body.tags
const edit = (edits: object[], by = member) => by.post('/ext/v1/tags', { edits })
const etagOf = async (kind: TaggedKind, id: string) =>
  (await member.get(address(kind, id))).headers.get('etag') ?? ''
const disk = (name: string, project = 'tagged') => made(member, `/v1/disks?project=${project}`, newDisk(name))
const rowsOf = (object_id: string) =>
  bed.db.selectFrom('tag').selectAll().where('object_id', '=', object_id).orderBy('key').execute()

describe('each kind', () => {
  test.each(taggedKinds)('%s is tagged by callers who may modify it', async (kind) => {
    const id = idOf(kind)
    const by = isFleetTagged(kind) ? admin : member
    const tags = { env: 'prod', team: 'Größe und Maß' }
    const answer = await set(kind, id, tags, by)
    expect(said(answer)).toBe('200')
    expect(answer.body).toEqual({ id, kind, tags: tagsOf(tags) })
    expect(await view(kind, id, by)).toEqual(tagsOf(tags))
    expect((await by.get(`/ext/v1/tags?kind=${kind}&id=${id}&id=${crypto.randomUUID()}`)).body.items).toEqual(
      [answer.body],
    )
    const place = {
      silo_id: by === admin ? null : ids.silo,
      project_id: by === admin ? null : ids.project,
    }
    expect(await rowsOf(id)).toEqual(tagsOf(tags).map((tag) => ({ object_id: id, kind, ...tag, ...place })))
    expect(await view(kind, id, by)).toEqual(tagsOf(tags))
    const changed = await edit([{ kind, id, set: tagsOf({ env: 'test' }), remove: ['team', 'absent'] }], by)
    expect(changed.body.items).toEqual([{ id, kind, tags: tagsOf({ env: 'test' }) }])
    expect((await set(kind, id, {}, by)).body.tags).toEqual([])
    expect(await rowsOf(id)).toEqual([])
    const stored = await bed.db
      .selectFrom(tableOf(kind))
      .select('tags')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(stored.tags).toBeNull()
  })

  test.each(taggedKinds.filter((kind) => !isFleetTagged(kind)))(
    '%s is tagged by no other user, and hidden with its tags',
    async (kind) => {
      const id = idOf(kind)
      await set(kind, id, { env: 'prod' })
      const removal = [{ kind, id, remove: ['env'] }]
      expect((await set(kind, id, {}, viewer)).status).toBe(403)
      expect((await edit(removal, viewer)).status).toBe(403)
      expect((await outsider.get(address(kind, id))).status).toBe(404)
      expect((await set(kind, id, {}, outsider)).status).toBe(404)
      expect((await edit(removal, outsider)).status).toBe(404)
      expect((await outsider.get(`/ext/v1/tags?kind=${kind}&id=${id}`)).body.items).toEqual([])
      expect(await view(kind, id)).toEqual(tagsOf({ env: 'prod' }))
      await set(kind, id, {})
    },
  )

  test.each(fleetTaggedKinds)('%s is tagged by operators only', async (kind) => {
    const id = idOf(kind)
    const hidden = kind === 'silo' ? 403 : 404
    expect((await set(kind, id, { env: 'prod' }, member)).status).toBe(hidden)
    expect((await edit([{ kind, id, set: tagsOf({ env: 'prod' }) }], member)).status).toBe(hidden)
    expect(await view(kind, id, admin)).toEqual([])
  })
})

describe('what a tag may be', () => {
  test.each([
    ['Env', 'x', 'must begin with a lower-case letter'],
    ['', 'x', 'a tag needs a key'],
    ['1st', 'x', 'must begin with a lower-case letter'],
    ['a b', 'x', 'must begin with a lower-case letter'],
    ['a=b', 'x', 'must begin with a lower-case letter'],
    ['env.', 'x', 'must begin with a lower-case letter'],
    ['k'.repeat(64), 'x', 'at most 63 characters'],
    ['env', 'v'.repeat(257), 'at most 256 characters'],
    ['env', 'a\nb', 'control characters'],
    ['env', 'a\u202Eb', 'control characters or invisible'],
    ['env', ' a', 'must not begin or end with a space'],
    ['gantry.owner', 'x', 'belongs to the platform'],
  ])('refuses %j=%j', async (key, value, words) => {
    const answer = await set('disk', idOf('disk'), { [key]: value })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(words)
  })

  test.each(['constructor', 'a', 'cost.center', 'a_b-c.d9', 'k'.repeat(63)])(
    'accepts the key %s',
    async (key) => {
      const value = '💾'.repeat(256)
      expect((await set('disk', idOf('disk'), { [key]: value })).body.tags).toEqual([{ key, value }])
      expect((await set('disk', idOf('disk'), {})).body.tags).toEqual([])
    },
  )

  test('values that read the same are the same', async () => {
    const answer = await set('disk', idOf('disk'), { team: 'Cafe\u0301' })
    expect(answer.body.tags).toEqual(tagsOf({ team: 'Café' }))
    await set('disk', idOf('disk'), {})
  })

  test('no more than 50, nor more bytes than history can keep, however they come together', async () => {
    const id = await disk('full')
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']))
    expect((await set('disk', id, { ...many, more: 'v' })).status).toBe(400)
    expect((await set('disk', id, many)).status).toBe(200)
    const answer = await edit([{ kind: 'disk', id, set: tagsOf({ more: 'v' }) }])
    expect(said(answer)).toBe(
      '400 the disk full cannot get these tags: an object may have at most 50 tags, and these are 51',
    )
    expect((await edit([{ kind: 'disk', id, set: tagsOf({ more: 'v' }), remove: ['k0'] }])).status).toBe(200)
    const large = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, '💾'.repeat(256)]))
    expect((await set('disk', id, large)).body.message).toContain('8192 bytes')
    const twice = [
      { key: 'env', value: 'a' },
      { key: 'env', value: 'b' },
    ]
    const given = await member.call('PUT', address('disk', id), { tags: twice })
    expect(given.body.message).toContain('the key "env" is given twice')
  })

  test('tags of the platform are kept, and nobody else sets, changes or removes them', async () => {
    const id = await disk('owned')
    await bed.db
      .updateTable('disk')
      .set({ tags: JSON.stringify({ 'gantry.owner': 'updater', env: 'test' }) })
      .where('id', '=', id)
      .execute()
    expect((await set('disk', id, { env: 'prod' })).body.tags).toEqual(
      tagsOf({ env: 'prod', 'gantry.owner': 'updater' }),
    )
    expect((await set('disk', id, { 'gantry.owner': 'updater' })).status).toBe(200)
    expect((await set('disk', id, { 'gantry.owner': 'me' })).status).toBe(400)
    expect((await edit([{ kind: 'disk', id, remove: ['gantry.owner'] }])).status).toBe(400)
  })
})

describe('concurrent edits', () => {
  test('a stale ETag is refused, whoever changed the object in between', async () => {
    const id = await disk('contested')
    const before = await etagOf('disk', id)
    expect((await set('disk', id, { env: 'prod' }, member, before)).status).toBe(200)
    expect((await set('disk', id, { env: 'test' }, member, before)).status).toBe(412)
    const read = await member.get(address('disk', id))
    const etag = read.headers.get('etag') ?? ''
    expect((await member.call('GET', address('disk', id), undefined, { 'if-none-match': etag })).status).toBe(
      304,
    )
    const group = idOf('anti-affinity-group')
    const seen = await etagOf('anti-affinity-group', group)
    await member.call('PUT', `/v1/anti-affinity-groups/${group}`, { description: 'other' })
    expect((await set('anti-affinity-group', group, { env: 'prod' }, member, seen)).status).toBe(412)
  })

  test('two edits of different keys both stay', async () => {
    const id = await disk('shared')
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((key) => edit([{ kind: 'disk', id, set: tagsOf({ [key]: '1' }) }])),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await view('disk', id)).toEqual(tagsOf({ a: '1', b: '1', c: '1', d: '1' }))
    expect((await rowsOf(id)).map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('many objects', () => {
  test('all of them or none', async () => {
    const [one, other] = [await disk('bulk-one'), await disk('bulk-other')]
    const all = (id: string) =>
      [one, other, id].map((each) => ({ kind: 'disk', id: each, set: tagsOf({ env: 'x' }) }))
    const gone = crypto.randomUUID()
    expect(said(await edit(all(gone)))).toBe(`404 not found: disk with id "${gone}"`)
    expect(said(await edit(all(one)))).toBe(`400 the object ${one} is named twice`)
    expect((await edit([])).status).toBe(400)
    const both = [{ kind: 'disk', id: one, set: tagsOf({ env: 'x' }), remove: ['env'] }]
    expect(said(await edit(both))).toBe('400 the key "env" is both set and removed')
    expect(await view('disk', one)).toEqual([])
    const elsewhere = await made(member, '/v1/projects', { name: 'beside', description: '' })
    const mixed = [
      ...all(await disk('bulk-third', 'beside')),
      { kind: 'project', id: elsewhere, set: tagsOf({ env: 'x' }) },
    ]
    expect((await edit(mixed)).body.items).toHaveLength(4)
    const places = await bed.db.selectFrom('tag').select('project_id').where('value', '=', 'x').execute()
    expect(places.filter(({ project_id }) => project_id === elsewhere)).toHaveLength(2)
    expect(places).toHaveLength(4)
  })

  test('one request has one record in the audit log, and names what it changed', async () => {
    const log = '/ext/v1/system/audit-log?start_time=2020-01-01T00:00:00Z&operation=tags_edit&limit=1'
    const sort = '&sort_by=time_and_id_descending'
    const [one, other] = [await disk('audit-one'), await disk('audit-other')]
    await edit([one, other].map((id) => ({ kind: 'disk', id, set: tagsOf({ env: 'prod' }) })))
    const [record] = (await admin.get(log + sort)).body.items
    expect(record).toMatchObject({ result: { kind: 'success' } })
    const changed = record.changes.filter(({ kind }: { kind: string }) => kind === 'disk')
    expect(changed.map(({ name }: { name: string }) => name).toSorted()).toEqual(['audit-one', 'audit-other'])
  })
})

describe('what exists already', () => {
  const counts = async (path: string, by = viewer) => {
    const { body } = await by.get(`/ext/v1/${path}`)
    return Object.fromEntries(
      body.items.map(({ text, count }: { text: string; count: number }) => [text, count]),
    )
  }

  test('keys and values are counted where the caller sees them', async () => {
    await made(member, '/v1/projects', { name: 'counted', description: '' })
    const [a, b, c] = [await disk('a', 'counted'), await disk('b', 'counted'), await disk('c', 'counted')]
    await edit([
      { kind: 'disk', id: a, set: tagsOf({ stage: 'prod', 'stage-of': 'x' }) },
      { kind: 'disk', id: b, set: tagsOf({ stage: 'prod' }) },
      { kind: 'disk', id: c, set: tagsOf({ stage: 'test', other: 'y' }) },
    ])
    const at = 'project=counted'
    expect(await counts(`tag-keys?${at}`)).toEqual({ other: 1, stage: 3, 'stage-of': 1 })
    expect(await counts(`tag-keys?${at}&prefix=stage`)).toEqual({ stage: 3, 'stage-of': 1 })
    expect(await counts(`tag-keys?${at}&prefix=zz`)).toEqual({})
    expect(await counts(`tag-keys?${at}&kind=instance`)).toEqual({})
    expect(await counts(`tag-values?${at}&key=stage`)).toEqual({ prod: 2, test: 1 })
    expect(await counts(`tag-values?${at}&key=stage&prefix=t&kind=disk`)).toEqual({ test: 1 })
    expect(await counts('tag-keys?prefix=stage')).toEqual({ stage: 3, 'stage-of': 1 })
    // Callers without a role see nothing, and members of one project what it has.
    expect(await counts('tag-keys?prefix=stage', outsider)).toEqual({})
    const project = (await member.get('/v1/projects/counted')).body.id
    const one = await bed.addUser('one', { roles: [{ at: { project }, role: 'viewer' }] })
    expect(await counts('tag-keys?prefix=stage', one)).toEqual({ stage: 3, 'stage-of': 1 })
    expect(await counts('tag-keys?prefix=en', one)).toEqual({})
    expect((await outsider.get(`/ext/v1/tag-keys?${at}`)).status).toBe(404)
  })

  test('of the fleet, operators only', async () => {
    await set('sled', idOf('sled'), { rack: 'north' }, admin)
    expect(await counts('tag-values?kind=sled&key=rack', admin)).toEqual({ north: 1 })
    expect((await member.get('/ext/v1/tag-keys?kind=sled')).status).toBe(403)
    await set('sled', idOf('sled'), {}, admin)
  })

  test('more than a page says so', async () => {
    const objects: string[] = []
    for (let n = 0; n < 3; n++) objects.push(await disk(`page-${n}`, 'counted'))
    await edit(
      objects.map((id, n) => ({
        kind: 'disk',
        id,
        set: tagsOf(Object.fromEntries(Array.from({ length: 40 }, (_, m) => [`page${n}-${m}`, '']))),
      })),
    )
    const { body } = await viewer.get('/ext/v1/tag-keys?project=counted&prefix=page')
    expect([body.items.length, body.has_more]).toEqual([100, true])
    const few = (await viewer.get('/ext/v1/tag-keys?project=counted&prefix=page1')).body
    expect([few.items.length, few.has_more]).toEqual([40, false])
  })
})

describe('history', () => {
  const newest = async (): Promise<ActivityEntry> =>
    (await viewer.get('/ext/v1/activity?project=tagged&limit=1')).body.items[0]
  const pathOf = ({ id }: ActivityEntry) => `/ext/v1/activity/${id}/revert`
  const revert = async (entry: ActivityEntry, keep: string[] = []) =>
    member.post(pathOf(entry), { hash: (await member.get(pathOf(entry))).body.hash, keep })

  test('a change of tags is told by its tags, and reverted without what was set since', async () => {
    const id = await disk('told')
    const owner = crypto.randomUUID()
    await set('disk', id, { env: 'test', owner })
    await set('disk', id, { env: 'prod', owner })
    const entry = await newest()
    expect(entry).toMatchObject({ is_revertible: true, operation: 'tags_update' })
    expect(entry.changes).toMatchObject([
      {
        kind: 'disk',
        name: 'told',
        action: 'tagged',
        differences: [{ field: 'tags.env', before: 'test', after: 'prod' }],
      },
    ])
    await edit([{ kind: 'disk', id, set: tagsOf({ since: 'then' }), remove: ['owner'] }])
    // An id as a value is the user's text and no reference.
    expect((await newest()).changes[0]?.differences).toEqual([
      { field: 'tags.owner', before: owner, after: null },
      { field: 'tags.since', before: null, after: 'then' },
    ])
    expect((await member.get(pathOf(entry))).body.steps).toMatchObject([
      {
        kind: 'disk',
        edits: [{ field: 'tags.env', made: 'prod', now: 'prod', back: 'test', is_changed_since: false }],
      },
    ])
    expect((await revert(entry)).status).toBe(204)
    expect(await view('disk', id)).toEqual(tagsOf({ env: 'test', since: 'then' }))
    expect((await revert(entry)).status).toBe(400)
    expect((await revert(await newest())).status).toBe(204)
    expect(await view('disk', id)).toEqual(tagsOf({ env: 'prod', since: 'then' }))
  })

  test('a change of many is one entry, and reverted for all of them or some', async () => {
    const [one, other] = [await disk('many-one'), await disk('many-other')]
    await set('disk', other, { env: 'test', kept: 'yes' })
    await edit([one, other].map((id) => ({ kind: 'disk', id, set: tagsOf({ env: 'prod' }) })))
    const entry = await newest()
    expect(new Set(entry.changes.map(({ name }) => name))).toEqual(new Set(['many-one', 'many-other']))
    expect((await member.get(pathOf(entry))).body.steps[0].edits).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: one, label: 'many-one', made: 'env=prod', back: '' }),
        expect.objectContaining({ field: other, label: 'many-other', made: 'env=prod', back: 'env=test' }),
      ]),
    )
    expect((await revert(entry, [one])).status).toBe(204)
    expect(await view('disk', one)).toEqual(tagsOf({ env: 'prod' }))
    expect(await view('disk', other)).toEqual(tagsOf({ env: 'test', kept: 'yes' }))
    expect((await revert(entry)).status).toBe(204)
    expect(await view('disk', one)).toEqual([])
  })

  test('a refused request is told of, and setting the same tags changes nothing', async () => {
    const id = await disk('same')
    await set('disk', id, { env: 'prod' })
    const etag = await etagOf('disk', id)
    await set('disk', id, { env: 'prod' })
    expect(await etagOf('disk', id)).toBe(etag)
    await set('disk', id, { 'gantry.x': 'y' })
    expect(await newest()).toMatchObject({
      outcome: 'refused',
      changes: [{ action: 'tagged', name: 'same' }],
    })
  })

  test('a plan shows the change and does not make it', async () => {
    const id = await disk('planned')
    const plan = await member.call('PUT', `/ext/v1/plans/ext/v1/tags/${id}?kind=disk`, {
      tags: tagsOf({ env: 'prod' }),
    })
    expect(plan.status).toBe(200)
    expect(JSON.stringify(plan.body)).toContain('tags.env')
    expect(await view('disk', id)).toEqual([])
  })
})

test('the stream tells of tags where their object is', async () => {
  const id = await disk('streamed')
  const stream = await bed.follow(viewer, { query: 'project=tagged' })
  await set('disk', id, { env: 'prod' })
  const heard = await eventually(
    async () => stream.events.filter(({ data }) => data.kind === 'tag' && data.id === id),
    (events) => events.length > 0,
  )
  expect(heard).toHaveLength(1)
  stream.close()
})
