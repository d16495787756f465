import type { InstanceAction } from '@gantry/api/compute/instance-action'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tagsHeader } from '@gantry/api/tags/tags-header.rules'
import { batchLimits } from '@gantry/api/compute/instance-batch.rules'
import { raiseRolesEpoch } from '@gantry/control-plane/authz/held-roles'
import {
  type Caller,
  eventually,
  said,
  type TestBed,
  testControlPlane,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
const url = '/ext/v1/instance-batches'
let bed: TestBed
let me: Caller
let project: string
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  project = (await me.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const at = (path: string): string => `/v1/${path}?project=playground`
const disk = (name: string) => ({
  type: 'create',
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})
const instance = { description: 'one of several', ncpus: 1, memory: GiB, start: false }
const ask = (name_pattern: string, count: number, more: object = {}, common: object = {}, who = me) =>
  who.post(`${url}?project=playground`, {
    name_pattern,
    count,
    ...more,
    instance: { ...instance, ...common },
  })
const finished = async (id: string, who: Caller = me): Promise<InstanceAction> =>
  (
    await eventually(
      () => {
        bed.pass(500)
        return who.get(`/ext/v1/instance-actions/${id}`)
      },
      ({ body }) => body.state === 'done',
      20_000,
    )
  ).body
const results = ({ items }: InstanceAction): string[] =>
  items.map(({ instance: { name }, state, error }) => `${name} ${error?.message ?? state}`)
const takeOver = () =>
  bed.db
    .updateTable('job')
    .set({ lease_until: null, run_at: new Date(0) })
    .where('kind', '=', 'instance-action')
    .where('state', '=', 'pending')
    .execute()

test('each instance has its name, host name and disks, and what all have in common', async () => {
  const tags = { [tagsHeader]: 'env=prod' }
  const body = {
    name_pattern: 'web-{n}',
    hostname_pattern: 'www{n}.example',
    first: 9,
    count: 2,
    instance: { ...instance, boot_disk: disk('boot'), disks: [disk('data')] },
  }
  const asked = await me.call('POST', `${url}?project=playground`, body, tags)
  expect(asked.status, JSON.stringify(asked.body)).toBe(202)
  expect(results(asked.body)).toEqual(['web-9 pending', 'web-10 pending'])
  expect(results(await finished(asked.body.id))).toEqual(['web-9 done', 'web-10 done'])
  const names = new Set<string>()
  for (const number of [9, 10]) {
    const { body: made } = await me.get(at(`instances/web-${number}`))
    expect(made).toMatchObject({ description: 'one of several', hostname: `www${number}.example`, ncpus: 1 })
    const { items } = (await me.get(at(`instances/web-${number}/disks`))).body
    for (const { name } of items) {
      expect(name).toMatch(new RegExp(`^web-${number}-(boot|data)-[0-9a-f]{6}$`))
      names.add(name)
    }
    const { tags: own } = (await me.get(`/ext/v1/tags/${made.id}?kind=instance`)).body
    expect(own).toEqual([{ key: 'env', value: 'prod' }])
  }
  expect(names.size).toBe(4)
})

test('a taken name fails alone, and the rest is repeated with a retry', async () => {
  await me.post(at('instances'), { ...instance, name: 'db-2', hostname: 'db-2' })
  const names = `/ext/v1/instance-batch-names?project=playground&name_pattern=db-%7Bn%7D&first=1&count=3`
  expect((await me.get(names)).body).toEqual({ taken: ['db-2'], next: 3 })
  const done = await finished((await ask('db-{n}', 3)).body.id)
  expect(results(done)).toEqual(['db-1 done', 'db-2 already exists: instance "db-2"', 'db-3 done'])
  expect((await me.get(names)).body).toEqual({ taken: ['db-1', 'db-2', 'db-3'], next: 4 })
  expect((await me.call('DELETE', at('instances/db-2'))).status).toBe(204)
  const again = await me.post(`/ext/v1/instance-actions/${done.id}/retry`)
  expect(again.status, JSON.stringify(again.body)).toBe(202)
  expect(results(await finished(again.body.id))).toEqual(['db-2 done'])
  expect(said(await me.post(`/ext/v1/instance-actions/${again.body.id}/retry`))).toMatch(
    /^409 no instance of the action failed/,
  )
})

test('nothing is created twice or lost, however often the job is taken over', async () => {
  const asked = await ask('many-{n}', 24, {}, { start: true, disks: [disk('data')] })
  for (let round = 0; round < 6; round++) {
    await takeOver()
    bed.pass(1)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  const done = await finished(asked.body.id)
  expect(results(done)).toEqual(Array.from({ length: 24 }, (_, index) => `many-${index + 1} done`))
  const made = await bed.db
    .selectFrom('instance')
    .select(['id', 'name'])
    .where('name', 'like', 'many-%')
    .where('time_deleted', 'is', null)
    .execute()
  expect(made).toHaveLength(24)
  expect(new Map(done.items.map(({ instance: { id, name } }) => [name, id]))).toEqual(
    new Map(made.map(({ id, name }) => [name, id])),
  )
  const disks = await bed.db
    .selectFrom('disk')
    .select('id')
    .where(
      'instance_id',
      'in',
      made.map(({ id }) => id),
    )
    .execute()
  expect(disks).toHaveLength(24)
  const { items } = (await me.get('/ext/v1/tasks?limit=5')).body
  expect(items.find(({ count }: { count: number }) => count === 24)).toMatchObject({
    verb: 'create',
    state: 'finished',
    object: { kind: 'instance' },
    progress: { done: 24, total: 24 },
  })
  const stop = await me.post('/ext/v1/instance-actions?project=playground', {
    action: 'stop',
    instances: made.map(({ id }) => id),
  })
  await finished(stop.body.id)
})

test('one that is created and does not start is failed, and a retry starts it', async () => {
  const huge = await finished(
    (await ask('huge-{n}', 1, {}, { start: true, ncpus: 64, memory: 900 * GiB })).body.id,
  )
  const [item] = huge.items
  expect([item?.state, typeof item?.instance.id]).toEqual(['failed', 'string'])
  const again = await me.post(`/ext/v1/instance-actions/${huge.id}/retry`)
  expect(again.body).toMatchObject({ action: 'start', items: [{ instance: { name: 'huge-1' } }] })
  await finished(again.body.id)
})

test.each([
  ['web', 2, {}, {}, /a pattern has \{n\} exactly once/],
  ['Web-{n}', 2, {}, {}, /must begin with an ASCII lowercase character/],
  ['web-{n}', 51, {}, {}, /expected at most 50 instances/],
  ['web-{n}', 2, { first: 999_999 }, {}, /the last number is greater than 999999/],
  ['web-{n}', 2, { hostname_pattern: 'a b{n}' }, {}, /RFC 1035/],
  ['web-{n}', 2, {}, { disks: [{ type: 'attach', name: 'd' }] }, /an existing disk/],
  ['web-{n}', 2, {}, { external_ips: [{ type: 'floating', floating_ip: 'f' }] }, /a floating IP/],
  [
    'web-{n}',
    2,
    {},
    {
      network_interfaces: {
        type: 'create',
        params: [{ name: 'n', description: '', vpc_name: 'v', subnet_name: 's', ip: '10.0.0.5' }],
      },
    },
    /a private address/,
  ],
])('%s of %d, %j, %j is refused', async (pattern, count, more, common, words) => {
  const answer = await ask(pattern, count, more, common)
  expect(said(answer)).toMatch(words)
  expect(answer.status).toBe(400)
})

/** Requests of this user that stay unfinished: without a job, their items stay pending. */
async function unfinished(count: number): Promise<string[]> {
  const row = await bed.db
    .selectFrom('instance_action')
    .selectAll()
    .where('action', '=', 'create')
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  const like = {
    request: JSON.stringify(row.request),
    creation: JSON.stringify(row.creation),
    tagging: null,
    time_completed: null,
  }
  await bed.db
    .insertInto('instance_action')
    .values(ids.map((id) => ({ ...row, ...like, id })))
    .execute()
  const item = { position: 0, instance_id: null, name: 'later-1', state: 'pending' as const, error: null }
  await bed.db
    .insertInto('instance_action_item')
    .values(ids.map((action_id) => ({ ...item, action_id })))
    .execute()
  return ids
}

test('a user has a bounded number of unfinished ones, and can cancel the rest of one', async () => {
  const ids = await unfinished(batchLimits.open)
  expect(said(await ask('more-{n}', 1))).toBe('409 4 of your requests for several instances are not finished')
  for (const id of ids) expect((await me.post(`/ext/v1/instance-actions/${id}/cancel`)).status).toBe(200)
  for (const id of ids) expect(results(await finished(id))).toEqual(['later-1 Cancelled before its turn.'])
  expect((await me.get(at('instances/later-1'))).status).toBe(404)
})

test('of many requests at once no more are under way than the limit says', async () => {
  const ids = await unfinished(batchLimits.open - 1)
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => ask(`at-once-${index}-{n}`, 2)))
  const accepted = answers.filter(({ status }) => status === 202).map(({ body }) => body.id as string)
  expect(accepted.length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([])
  for (const id of accepted) await finished(id)
  const times = await bed.db
    .selectFrom('instance_action')
    .select(['time_created', 'time_completed'])
    .where('id', 'in', accepted)
    .orderBy('time_created')
    .execute()
  // With the others, one at a time is all that the limit leaves.
  times.slice(1).forEach(({ time_created }, index) => {
    expect(time_created.getTime()).toBeGreaterThanOrEqual(times[index]?.time_completed?.getTime() ?? Infinity)
  })
  for (const id of ids) expect((await me.post(`/ext/v1/instance-actions/${id}/cancel`)).status).toBe(200)
})

test('a role revoked meanwhile no longer creates', async () => {
  const roles = [{ at: { project }, role: 'collaborator' as const }]
  const person = await bed.addUser('creator', { roles })
  const asked = await ask('theirs-{n}', 40, {}, {}, person)
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', person.id).execute()
  await raiseRolesEpoch(bed.db)
  const items = await eventually(
    () =>
      bed.db
        .selectFrom('instance_action_item')
        .select(['name', 'state', 'error'])
        .where('action_id', '=', asked.body.id)
        .execute(),
    (all) => all.every(({ state }) => state !== 'pending'),
  )
  const refused = items.filter(({ state }) => state === 'failed')
  expect(refused.length).toBeGreaterThan(0)
  for (const { name } of refused) expect((await me.get(at(`instances/${name}`))).status).toBe(404)
  const viewer = await bed.signIn('viewer')
  expect(said(await ask('x-{n}', 2, {}, {}, viewer))).toBe('403 Forbidden')
})
