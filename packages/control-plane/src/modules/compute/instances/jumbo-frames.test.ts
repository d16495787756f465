import { GiB } from '@gantry/api/base/bytes.rules'
import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import {
  type Caller,
  eventually,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

let bed: TestBed
let member: Caller
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const newest = { [versionHeader]: newestVersionText }
const at = 'project=playground'
const settings = '/v1/system/networking/settings'
const allow = (isAllowed: boolean, caller = operator) =>
  caller.call('PUT', settings, { external_jumbo_frames_opt_in_enabled: isAllowed }, newest)
const sized = { ncpus: 1, memory: GiB }
const machine = (name: string, more: object = {}) => ({
  name,
  description: '',
  hostname: name,
  start: false,
  ...sized,
  ...more,
})
const create = (name: string, more: object = {}) =>
  member.call('POST', `/v1/instances?${at}`, machine(name, more), newest)
const update = (name: string, more: object) =>
  member.call(
    'PUT',
    `/v1/instances/${name}?${at}`,
    { ...sized, boot_disk: null, auto_restart_policy: null, cpu_platform: null, ...more },
    newest,
  )
const has = async (name: string) =>
  (await member.call('GET', `/v1/instances/${name}?${at}`, undefined, newest)).body.enable_jumbo_frames

test('operators allow jumbo frames, which instances may ask for then', async () => {
  const off = '400 jumbo frames are not enabled on this rack'
  expect((await operator.call('GET', settings, undefined, newest)).body).toEqual({
    external_jumbo_frames_opt_in_enabled: false,
  })
  expect(said(await create('large', { enable_jumbo_frames: true }))).toBe(off)
  await create('small')
  expect(said(await update('small', { enable_jumbo_frames: true }))).toBe(off)
  expect(said(await allow(true, member))).toMatch(/^403/)
  expect((await allow(true)).body).toEqual({ external_jumbo_frames_opt_in_enabled: true })
  expect((await create('large', { enable_jumbo_frames: true })).body.enable_jumbo_frames).toBe(true)
  expect((await update('small', { enable_jumbo_frames: true })).body.enable_jumbo_frames).toBe(true)

  // An instance keeps what it asked for, and its other settings change as before.
  await allow(false)
  expect(said(await update('large', { enable_jumbo_frames: true, ncpus: 2 }))).toBe('200')
  expect(said(await member.call('PUT', `/v1/instances/large?${at}`, sized))).toBe('200')
  expect(await has('large')).toBe(true)
  expect((await update('large', { enable_jumbo_frames: false })).body.enable_jumbo_frames).toBe(false)
  expect(said(await update('large', { enable_jumbo_frames: true }))).toBe(off)
})

test('an instance snapshot keeps them, and its copy has them while they are allowed', async () => {
  await allow(true)
  const source = { type: 'blank', block_size: 512 }
  const boot_disk = {
    type: 'create',
    name: 'kept-boot',
    description: '',
    size: GiB,
    disk_backend: { type: 'distributed', disk_source: source },
  }
  await create('kept', { enable_jumbo_frames: true, boot_disk })
  await settledJobs(bed)
  const snapshot = { name: 'then', description: '', instance: 'kept' }
  await member.call('POST', `/ext/v1/instance-snapshots?${at}`, snapshot, newest)
  await settledJobs(bed)
  const copy = (name: string) =>
    member.call('POST', `/ext/v1/instance-snapshots/then/instances?${at}`, { name }, newest)
  expect(said(await copy('again'))).toBe('201')
  await allow(false)
  expect(said(await copy('later'))).toBe('201')
  expect([await has('again'), await has('later')]).toEqual([true, false])
})

test('a fleet without jumbo frames refuses them, with the reason', async () => {
  const host = await testControlPlane({
    environment: { fleet: (...given) => ({ ...simulatedFleet(...given), isSimulated: false }) },
  })
  try {
    const admin = await host.signIn('admin')
    const reason = '400 The networks of this installation carry no jumbo frames'
    expect(said(await allow(true, admin))).toBe(reason)
    expect(said(await allow(false, admin))).toBe('200')
    const asked = machine('large', { enable_jumbo_frames: true })
    expect(said(await admin.call('POST', `/v1/instances?${at}`, asked, newest))).toBe(reason)
  } finally {
    await host.stop()
  }
})

test('a guest sees them at its primary interface, from a start on that finds them allowed', async () => {
  await allow(true)
  const interfaces = ['first', 'second'].map((name, index) => ({
    name,
    description: '',
    vpc_name: 'default',
    subnet_name: index === 0 ? 'default' : 'other',
    ip_config: { type: 'v4', value: { ip: { type: 'auto' } } },
  }))
  await member.call(
    'POST',
    `/v1/vpc-subnets?${at}&vpc=default`,
    { name: 'other', description: '', ipv4_block: '10.9.0.0/24' },
    newest,
  )
  const network_interfaces = { type: 'create', params: interfaces }
  expect(said(await create('seen', { enable_jumbo_frames: true, network_interfaces }))).toBe('201')
  const started = async () => {
    const { id } = (await member.post(`/v1/instances/seen/start?${at}`)).body
    const isIn = async (state: string) =>
      eventually(
        async () => (await member.get(`/v1/instances/${id}`)).body.run_state,
        (now) => now === state,
      )
    await isIn('running')
    const { facts } = await bed.db
      .selectFrom('guest')
      .innerJoin('vmm', 'vmm.id', 'guest.vmm_id')
      .select('guest.facts')
      .where('vmm.instance_id', '=', id)
      .where('vmm.time_gone', 'is', null)
      .executeTakeFirstOrThrow()
    await member.post(`/v1/instances/${id}/stop`)
    await isIn('stopped')
    return facts.interfaces.map(({ name, mtu }) => [name, mtu])
  }
  expect(await started()).toEqual([
    ['first', 8500],
    ['second', undefined],
  ])
  await allow(false)
  expect((await started()).map(([, mtu]) => mtu)).toEqual([undefined, undefined])
})
