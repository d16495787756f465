import type { ActivityEntry } from '@gantry/api/history/activity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { made } from '@gantry/control-plane/testing/hidden-things'

const GiB = 2 ** 30
const at = 'project=atlas'

let bed: TestBed
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const machine = (name: string, start = false): Promise<string> =>
  made(member, `/v1/instances?${at}`, {
    name,
    description: 'as it was',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start,
  })
const view = async (path: string) => (await member.get(path)).body
const put = (path: string, body: object, headers?: Record<string, string>) =>
  member.call('PUT', path, body, headers)
const firewall = `/v1/vpc-firewall-rules?${at}&vpc=default`
const end = (value: string) => ({ type: 'instance', value })

test('a renamed instance keeps running, and what names it follows', async () => {
  const id = await machine('web', true)
  await machine('other')
  const isRunning = (seen: Record<string, unknown>) => seen['run_state'] === 'running'
  const before = await eventually(() => view(`/v1/instances/web?${at}`), isRunning)
  const rule = {
    name: 'to-web',
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 10,
    targets: [end('web'), end('other'), { type: 'vpc', value: 'web' }],
    filters: { hosts: [end('web'), { type: 'vpc', value: 'default' }] },
  }
  const unrelated = { ...rule, name: 'to-other', targets: [end('other')], filters: {} }
  await put(firewall, { rules: [rule, unrelated] })
  const seen = (await member.get(firewall)).headers.get('etag') ?? ''
  await made(member, `/v1/vpc-routers?${at}&vpc=default`, { name: 'edge', description: '' })
  const inRouter = `${at}&vpc=default&router=edge`
  await made(member, `/v1/vpc-router-routes?${inRouter}`, {
    name: 'by-web',
    description: '',
    destination: { type: 'ip_net', value: '10.0.0.0/8' },
    target: end('web'),
  })

  const renamed = await put(`/ext/v1/instances/web?${at}`, { name: 'www' })
  expect(renamed.status).toBe(200)
  expect(renamed.body).toMatchObject({
    id,
    name: 'www',
    description: 'as it was',
    hostname: 'web',
    run_state: 'running',
    time_run_state_updated: before['time_run_state_updated'],
  })
  expect((await member.get(`/v1/instances/web?${at}`)).status).toBe(404)
  expect(await view(`/v1/instances/${id}`)).toMatchObject({ name: 'www' })
  const { rules } = await view(firewall)
  expect(rules).toMatchObject([
    { name: 'to-other', targets: [end('other')] },
    {
      name: 'to-web',
      targets: [end('www'), end('other'), { type: 'vpc', value: 'web' }],
      filters: { hosts: [end('www'), { type: 'vpc', value: 'default' }], ports: null },
    },
  ])
  expect(await view(`/v1/vpc-router-routes/by-web?${inRouter}`)).toMatchObject({ target: end('www') })
  // A user who edits the list of rules has seen another one.
  expect((await put(firewall, { rules: [] }, { 'if-match': seen })).status).toBe(412)

  // The old name is free at once, and rules apply to the instance that they were made for.
  await machine('web')
  const { items } = (await member.get(`/ext/v1/activity?${at}&object=${id}&limit=1`)).body
  const [entry] = items as ActivityEntry[]
  expect(entry?.changes[0]).toMatchObject({ kind: 'instance', action: 'renamed', name: 'www' })
  expect(entry?.is_revertible).toBe(true)
  const revert = `/ext/v1/activity/${entry?.id}/revert`
  const { hash, steps } = await view(revert)
  expect(steps[0].edits).toEqual([
    { field: 'name', label: null, made: 'www', now: 'www', back: 'web', is_changed_since: false },
  ])
  expect((await member.post(revert, { hash, keep: [] })).body.message).toContain(
    'already exists: instance "web"',
  )
  await member.call('DELETE', `/v1/instances/web?${at}`)
  expect((await member.post(revert, { hash: (await view(revert)).hash, keep: [] })).status).toBe(204)
  expect(await view(`/v1/instances/${id}`)).toMatchObject({ name: 'web', run_state: 'running' })
  expect((await view(firewall)).rules[1].targets[0]).toEqual(end('web'))
})

test('names stay unique and well-formed, and nobody overwrites what they have not seen', async () => {
  const id = await machine('one')
  await machine('two')
  const path = `/ext/v1/instances/${id}`
  expect((await put(path, { name: 'two' })).body.message).toContain('already exists: instance "two"')
  expect((await put(path, { name: 'Two!' })).status).toBe(400)
  const { headers } = await member.get(`/v1/instances/${id}`)
  const seen = { 'if-match': headers.get('etag') ?? '' }
  expect((await put(path, { description: 'mine' }, seen)).body).toMatchObject({
    name: 'one',
    description: 'mine',
  })
  const late = await put(path, { description: 'yours' }, seen)
  expect([late.status, late.body.current.description]).toEqual([412, 'mine'])
})

test('a disk is renamed while it is attached, and back from its activity', async () => {
  const blank = { type: 'blank', block_size: 512 }
  const id = await made(member, `/v1/disks?${at}`, {
    name: 'data',
    description: '',
    size: GiB,
    disk_source: blank,
  })
  await machine('holder')
  await member.post(`/v1/instances/holder/disks/attach?${at}`, { disk: 'data' })
  const { body } = await put(`/ext/v1/disks/data?${at}`, { name: 'books', description: 'of 2025' })
  expect(body).toMatchObject({ id, name: 'books', description: 'of 2025', state: { state: 'attached' } })
  expect(await view(`/v1/disks/${id}`)).toMatchObject({ name: 'books', device_path: '/mnt/books' })
  const [entry] = (await member.get(`/ext/v1/activity?${at}&object=${id}&limit=1`)).body
    .items as ActivityEntry[]
  const revert = `/ext/v1/activity/${entry?.id}/revert`
  expect((await member.post(revert, { hash: (await view(revert)).hash, keep: ['description'] })).status).toBe(
    204,
  )
  expect(await view(`/v1/disks/${id}`)).toMatchObject({ name: 'data', description: 'of 2025' })
})
