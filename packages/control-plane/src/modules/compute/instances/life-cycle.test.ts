import { autoRestartCooldownSeconds, type RunState } from '@gantry/api/compute/instance.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seeded } from '@gantry/control-plane/testing/seeded'
import {
  type Answer,
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'

const GiB = 1024 ** 3
const hour = autoRestartCooldownSeconds * 1000
let bed: TestBed
let me: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const at = (name: string, rest = '') => `/v1/instances/${name}${rest}?project=playground`
const blank = { type: 'blank', block_size: 512 }
const create = (name: string, more: object = {}): Promise<Answer> =>
  me.post('/v1/instances?project=playground', {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    ...more,
  })
const view = async (name: string) => (await me.get(at(name))).body
const becomes = (name: string, state: RunState) =>
  eventually(
    () => view(name),
    (instance) => instance.run_state === state,
  )
/** Lets a starting VM boot at once. */
async function boots(name: string): Promise<void> {
  const machine = () =>
    bed.db
      .selectFrom('simulated_vm')
      .innerJoin('instance', 'instance.vmm_id', 'simulated_vm.id')
      .select('phase')
      .where('instance.name', '=', name)
      .executeTakeFirst()
  await eventually(machine, (vm) => vm !== undefined)
  bed.pass(3100)
}
async function runs(name: string): Promise<void> {
  await boots(name)
  await becomes(name, 'running')
}
const inject = (kind: string, target: object) => admin.post('/ext/v1/faults', { kind, ...target })
const said = ({ status, body }: Answer) =>
  status < 400 ? `${status}${body ? ` ${body.run_state}` : ''}` : `${status} ${body.message}`

/** Brings an instance into a state, through the API where possible. */
const roads: Record<string, (name: string) => Promise<unknown>> = {
  creating: (name) => forced(name, 'creating'),
  stopped: async () => undefined,
  starting: (name) => me.post(at(name, '/start')),
  running: async (name) => {
    await me.post(at(name, '/start'))
    await runs(name)
  },
  rebooting: async (name) => {
    await roads.running?.(name)
    await me.post(at(name, '/reboot'))
  },
  stopping: async (name) => {
    await roads.running?.(name)
    await me.post(at(name, '/stop'))
  },
  migrating: async (name) => {
    await roads.running?.(name)
    await forced(name, 'migrating')
  },
  failed: async (name) => {
    await roads.running?.(name)
    await inject('vm_crash', { instance_id: (await view(name)).id })
    await becomes(name, 'failed')
  },
}
const forced = (name: string, run_state: RunState) =>
  bed.db.updateTable('instance').set({ run_state }).where('name', '=', name).execute()

/** The response of each action in each state (control plane reference, B 3.8 to 3.12). */
const stillCreating = '400 cannot change instance state while it is still being created'
const notStopped = '400 cannot delete instance: instance is running or has not yet fully stopped'
const resize = '409 instance must be stopped to be resized'
const table: Record<string, Record<'start' | 'stop' | 'reboot' | 'resize' | 'delete', string>> = {
  creating: {
    start: '409 instance is in state creating but it must be stopped to be started',
    stop: stillCreating,
    reboot: stillCreating,
    resize: '200 creating',
    delete: '400 instance cannot be deleted in state "creating"',
  },
  stopped: {
    start: '202 starting',
    stop: '202 stopped',
    reboot: '400 cannot reboot an instance in state stopped with no VMM',
    resize: '200 stopped',
    delete: '204',
  },
  starting: { start: '202 starting', stop: '202 st', reboot: '202 starting', resize, delete: notStopped },
  running: {
    start: '202 running',
    stop: '202 stopping',
    reboot: '202 rebooting',
    resize,
    delete: notStopped,
  },
  rebooting: {
    start: '202 rebooting',
    stop: '202 stopping',
    reboot: '202 rebooting',
    resize,
    delete: notStopped,
  },
  stopping: {
    start: '409 instance must finish stopping before it can be started',
    stop: '202 stopping',
    reboot: '400 instance state cannot be changed from stopping',
    resize,
    delete: notStopped,
  },
  migrating: {
    start: '202 migrating',
    stop: '202 stopping',
    reboot: '202 migrating',
    resize,
    delete: notStopped,
  },
  failed: {
    start: '202 starting',
    stop: '202 stopped',
    reboot: '400 instance state cannot be changed from failed',
    resize: '200 failed',
    delete: '204',
  },
}
const act = {
  start: (name: string) => me.post(at(name, '/start')),
  stop: (name: string) => me.post(at(name, '/stop')),
  reboot: (name: string) => me.post(at(name, '/reboot')),
  resize: (name: string) => me.call('PUT', at(name), { ncpus: 2, memory: GiB, auto_restart_policy: 'never' }),
  delete: (name: string) => me.call('DELETE', at(name)),
}

describe.each(Object.keys(table))('an instance that is %s', (state) => {
  test('responds to each action', async () => {
    const answers: Record<string, string> = {}
    const names = Object.keys(act).map((action) => `${state}-${action}`)
    for (const name of names)
      expect((await create(name, { start: false, auto_restart_policy: 'never' })).status).toBe(201)
    for (const [action, run] of Object.entries(act)) {
      const name = `${state}-${action}`
      await roads[state]?.(name)
      answers[action] = said(await run(name))
    }
    // A VM that has not reached its sled is gone at once; otherwise it must shut down.
    if (state === 'starting') answers.stop = answers.stop?.slice(0, 6) ?? ''
    expect(answers).toEqual(table[state])
    await sql`UPDATE instance SET run_state = 'running' WHERE run_state = 'migrating'`.execute(bed.db)
    await sql`UPDATE instance SET run_state = 'stopped' WHERE run_state = 'creating'`.execute(bed.db)
    await Promise.all(names.map((name) => me.post(at(name, '/stop'))))
  })
})

test('an update replaces four settings, and may repeat unchanged values', async () => {
  await create('settings', {
    boot_disk: { type: 'create', name: 'settings-boot', description: '', size: GiB, disk_source: blank },
    auto_restart_policy: 'best_effort',
  })
  const before = await view('settings')
  const put = (body: object) => me.call('PUT', at('settings'), body)
  const same = { ncpus: 1, memory: GiB, boot_disk: 'settings-boot' }
  expect(said(await put({ ncpus: 1, memory: GiB }))).toBe('409 instance must be stopped to set boot disk')
  expect((await put({ ...same, auto_restart_policy: 'never' })).body).toMatchObject({
    auto_restart_policy: 'never',
    auto_restart_enabled: false,
    time_modified: before.time_modified,
    boot_disk_id: before.boot_disk_id,
  })
  expect((await put(same)).body).toMatchObject({ auto_restart_policy: null, auto_restart_enabled: true })
  await me.post(at('settings', '/stop'))
  bed.pass(5000)
  await becomes('settings', 'stopped')
  for (const [body, answer] of [
    [{ ...same, ncpus: 65 }, '400 cannot have more than 64 vCPUs per instance'],
    [{ ...same, memory: GiB - 1 }, '400 unsupported value for "size": memory must be at least 1 GiB'],
    [{ ...same, memory: GiB + 1 }, '400 unsupported value for "size": memory must be divisible by 1 GiB'],
    [
      { ...same, memory: 1537 * GiB },
      '400 unsupported value for "size": memory must be less than or equal to 1536 GiB',
    ],
    [{ ...same, boot_disk: 'nobody' }, '404 not found: disk with name "nobody"'],
    [{ ...same, ncpus: 64, memory: 1536 * GiB }, '200 stopped'],
    [{ ncpus: 0, memory: GiB }, '200 stopped'],
  ] as const)
    expect(said(await put(body))).toBe(answer)
  expect((await view('settings')).boot_disk_id).toBe(null)
  await me.post('/v1/disks?project=playground', {
    name: 'apart',
    description: '',
    size: GiB,
    disk_source: blank,
  })
  expect(said(await put({ ...same, boot_disk: 'apart' }))).toBe('409 boot disk must be attached')
  expect(said(await put(same))).toBe('200 stopped')

  const disk = (verb: string) => me.post(at('settings', `/disks/${verb}`), { disk: 'settings-boot' })
  expect(said(await disk('detach'))).toBe('409 boot disk cannot be detached')
  await forced('settings', 'failed')
  expect(said(await disk('detach'))).toBe('400 cannot detach disk from instance in failed state')
  await forced('settings', 'stopped')
  await put({ ncpus: 1, memory: GiB })
  expect((await disk('detach')).body.state).toEqual({ state: 'detached' })
  expect((await disk('detach')).status).toBe(202)
  expect((await disk('attach')).body.state).toEqual({ state: 'attached', instance: before.id })
  expect((await disk('attach')).status).toBe(202)
})

test("disks attach and detach depending on the instance's state", async () => {
  const disk = (name: string) =>
    me.post('/v1/disks?project=playground', { name, description: '', size: GiB, disk_source: blank })
  for (let n = 1; n <= 9; n++) await disk(`many-${n}`)
  await create('drives', { start: false })
  const attach = (name: string) => me.post(at('drives', '/disks/attach'), { disk: name })
  const detach = (name: string) => me.post(at('drives', '/disks/detach'), { disk: name })
  for (let n = 1; n <= 8; n++) expect((await attach(`many-${n}`)).status).toBe(202)
  expect(said(await attach('many-9'))).toBe('400 cannot attach more than 8 disks to instance')
  expect(said(await attach('nobody'))).toBe('404 not found: disk with name "nobody"')
  await me.post(at('drives', '/start'))
  expect(said(await detach('many-1'))).toBe('400 cannot detach disk: instance is not fully stopped')
  expect(said(await attach('many-9'))).toBe('400 cannot attach disk: instance is not fully stopped')
  expect((await attach('many-1')).status).toBe(202)
  await create('other-drives', { start: false })
  expect(said(await me.post(at('other-drives', '/disks/detach'), { disk: 'many-1' }))).toBe(
    '400 cannot detach disk "many-1": disk is attached to another instance',
  )
  expect(said(await me.post(at('other-drives', '/disks/attach'), { disk: 'many-1' }))).toBe(
    '400 cannot attach disk "many-1": disk is attached to another instance',
  )
  await me.post('/v1/projects', { name: 'second', description: '' })
  const far = await me.post('/v1/disks?project=second', {
    name: 'far',
    description: '',
    size: GiB,
    disk_source: blank,
  })
  expect(said(await me.post(at('other-drives', '/disks/attach'), { disk: far.body.id }))).toBe(
    '400 disk must be in the same project as the instance',
  )
  await bed.db.updateTable('disk').set({ state: 'import_ready' }).where('name', '=', 'many-9').execute()
  expect(said(await me.post(at('other-drives', '/disks/attach'), { disk: 'many-9' }))).toBe(
    '400 cannot attach disk "many-9": invalid state import_ready',
  )
  expect(said(await me.post(at('other-drives', '/disks/detach'), { disk: 'many-9' }))).toBe(
    '400 cannot detach disk "many-9": invalid state import_ready',
  )
  await me.post(at('drives', '/stop'))
})

describe('automatic restart', () => {
  const crash = async (name: string) => inject('vm_crash', { instance_id: (await view(name)).id })
  const start = async (name: string, more: object = {}) => {
    await create(name, more)
    await runs(name)
  }

  test('happens at once, then not before an hour has passed', async () => {
    await start('phoenix')
    await crash('phoenix')
    const restarted = await eventually(
      () => view('phoenix'),
      (instance) => instance.time_last_auto_restarted !== null,
    )
    expect(restarted.run_state).toBe('starting')
    expect(Date.parse(restarted.auto_restart_cooldown_expiration)).toBe(
      Date.parse(restarted.time_last_auto_restarted) + hour,
    )
    await runs('phoenix')
    await crash('phoenix')
    const failed = await becomes('phoenix', 'failed')
    expect(failed.failure).toMatchObject({ code: 'vm_crash', message: 'The machine crashed.' })
    bed.pass(hour - 60_000)
    // A crash elsewhere makes the scan consider every instance.
    await start('canary', { auto_restart_policy: 'never' })
    await crash('canary')
    await becomes('canary', 'failed')
    expect((await view('phoenix')).run_state).toBe('failed')
    bed.pass(60_000)
    await me.post(at('canary', '/start'))
    await runs('canary')
    await crash('canary')
    const again = await becomes('phoenix', 'starting')
    expect(again.time_last_auto_restarted).not.toBe(restarted.time_last_auto_restarted)
    expect((await view('canary')).run_state).toBe('failed')
    bed.pass(3100)
    await me.post(at('phoenix', '/stop'))
  })

  test('ignores instances that should stop', async () => {
    await start('unwanted', { auto_restart_policy: 'never' })
    await crash('unwanted')
    await becomes('unwanted', 'failed')
    expect(said(await me.post(at('unwanted', '/stop')))).toBe('202 stopped')
    expect((await view('unwanted')).failure).toBe(null)
    await me.call('PUT', at('unwanted'), { ncpus: 1, memory: GiB, auto_restart_policy: 'best_effort' })
    expect((await view('unwanted')).run_state).toBe('stopped')
  })

  test('a guest that shuts down stays down, and one that reboots returns', async () => {
    await start('guest')
    const line = await bed.open(me, at('guest', '/serial-console/stream'))
    const shows = (text: string) =>
      eventually(
        async () => line.text(),
        (all) => all.includes(text),
      )
    await shows('login: ')
    line.type('root\rx\r')
    await shows('root@guest')
    line.type('reboot\r')
    await becomes('guest', 'rebooting')
    await runs('guest')
    line.type('root\rx\r')
    await eventually(
      async () => line.text().split('root@guest').length,
      (times) => times > 2,
    )
    line.type('poweroff\r')
    bed.pass(2000)
    await becomes('guest', 'stopped')
    const row = await bed.db
      .selectFrom('instance')
      .selectAll()
      .where('name', '=', 'guest')
      .executeTakeFirstOrThrow()
    expect([row.intended_state, row.time_last_auto_restarted]).toEqual(['guest_shutdown', null])
    await eventually(
      async () => line.closed(),
      (closed) => closed !== undefined,
    )
  })
})

describe('faults', () => {
  test('are for operators, and have exactly one target', async () => {
    const { id } = (await create('victim', { auto_restart_policy: 'never' })).body
    for (const who of [me, await bed.signIn('viewer')])
      expect((await who.post('/ext/v1/faults', { kind: 'vm_crash', instance_id: id })).status).toBe(403)
    expect(said(await inject('vm_crash', {}))).toBe('400 vm_crash takes an instance_id and nothing else')
    expect(said(await inject('sled_lost', { instance_id: id }))).toBe(
      '400 sled_lost takes a sled_id and nothing else',
    )
    expect(said(await inject('vm_crash', { instance_id: id, sled_id: id }))).toBe(
      '400 vm_crash takes an instance_id and nothing else',
    )
    const nobody = crypto.randomUUID()
    expect(said(await inject('vm_crash', { instance_id: nobody }))).toBe(
      `404 not found: instance with id "${nobody}"`,
    )
    expect(said(await inject('sled_lost', { sled_id: nobody }))).toBe(
      `404 not found: sled with id "${nobody}"`,
    )
    expect(said(await admin.call('DELETE', `/ext/v1/faults/${nobody}`))).toBe(
      `404 not found: fault with id "${nobody}"`,
    )
    await me.post(at('victim', '/stop'))
  })

  test('a crash needs a machine that runs', async () => {
    const { id } = (await create('asleep', { start: false })).body
    expect(said(await inject('vm_crash', { instance_id: id }))).toBe(
      '400 the instance has no machine that could crash',
    )
    expect((await admin.get('/ext/v1/faults')).body.items).toEqual([])
  })

  test('a VM that cannot boot fails with the reason until the fault ends', async () => {
    const { id } = (await create('unbootable', { start: false, auto_restart_policy: 'never' })).body
    const fault = (await inject('boot_failure', { instance_id: id })).body
    await me.post(at('unbootable', '/start'))
    await boots('unbootable')
    expect((await becomes('unbootable', 'failed')).failure).toMatchObject({
      code: 'boot_failure',
      next_step: 'Start the instance again. If it fails again, contact the operator.',
    })
    expect((await admin.get('/ext/v1/faults')).body.items).toEqual([fault])
    expect((await admin.call('DELETE', `/ext/v1/faults/${fault.id}`)).status).toBe(204)
    await me.post(at('unbootable', '/start'))
    await runs('unbootable')
  })

  test('a fault ends with its instance', async () => {
    const { id } = (await create('condemned', { start: false })).body
    const fault = (await inject('boot_failure', { instance_id: id })).body
    expect((await admin.get('/ext/v1/faults')).body.items).toEqual([fault])
    expect((await me.call('DELETE', at('condemned'))).status).toBe(204)
    expect((await admin.get('/ext/v1/faults')).body.items).toEqual([])
    expect((await admin.get('/ext/v1/system/issues?state=open&kind=fault')).body.items).toEqual([])
    const notes = await bed.db
      .selectFrom('change')
      .select(['kind', 'silo_id', 'after'])
      .where('object_id', '=', fault.id)
      .orderBy('time')
      .execute()
    // Faults concern the fleet alone, even if a user deletes the instance.
    expect(notes.at(-1)).toEqual({ kind: 'fault', silo_id: null, after: null })
  })

  test('a slow boot takes six times as long', async () => {
    const { id } = (await create('slow', { start: false })).body
    const fault = (await inject('slow_boot', { instance_id: id })).body
    await me.post(at('slow', '/start'))
    await boots('slow')
    await eventually(
      () =>
        bed.db.selectFrom('simulated_vm').select('due_at').where('instance_id', '=', id).executeTakeFirst(),
      (vm) => (vm?.due_at?.getTime() ?? 0) > Date.now() + 14_000,
    )
    expect((await view('slow')).run_state).toBe('starting')
    bed.pass(15_000)
    await becomes('slow', 'running')
    await admin.call('DELETE', `/ext/v1/faults/${fault.id}`)
  })

  test('a lost sled fails its instances, which restart elsewhere', async () => {
    await create('wanderer')
    await runs('wanderer')
    const sledOf = async () =>
      (
        await bed.db
          .selectFrom('vmm')
          .innerJoin('instance', 'instance.vmm_id', 'vmm.id')
          .select('vmm.sled_id')
          .where('instance.name', '=', 'wanderer')
          .executeTakeFirst()
      )?.sled_id
    const sled_id = await sledOf()
    const first = await inject('sled_lost', { sled_id })
    const second = await inject('sled_lost', { sled_id })
    await eventually(sledOf, (sled) => sled !== undefined && sled !== sled_id)
    await runs('wanderer')
    // The quota would allow it.
    await bed.db
      .updateTable('silo_quotas')
      .set({ memory: 4096 * GiB })
      .execute()
    const tooLarge = await create('no-room', { ncpus: 1, memory: 1536 * GiB })
    expect(said(tooLarge)).toBe('201 failed')
    const { failure } = tooLarge.body
    expect(failure).toMatchObject({
      code: 'InsufficientCapacity',
      message:
        'Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed',
      next_step: expect.stringMatching(/^Try a smaller size/),
    })
    // Each sled once, even with two faults on one of them.
    expect(failure.details.sleds).toEqual([
      { count: 7, reason: 'not enough free memory' },
      { count: 1, reason: 'the sled is unreachable' },
    ])
    expect((await view('no-room')).failure).toEqual(failure)
    const refused = await me.post(at('no-room', '/start'))
    expect(said(refused)).toBe(`507 ${failure.message}`)
    expect(refused.body.details).toEqual(failure.details)
    // Neither the body nor the record tells a user of a project which sleds exist and what others use of them.
    const { rows } = await sql<{ kept: object }>`
      SELECT failure AS kept FROM instance WHERE name = 'no-room'`.execute(bed.db)
    const told = JSON.stringify([tooLarge.body, refused.body, rows])
    const sleds = await bed.db.selectFrom('sled').select('serial').execute()
    expect(sleds.filter(({ serial }) => told.includes(serial))).toEqual([])
    expect(told).not.toMatch(/\d of \d|(vCPUs|memory) free/)
    for (const fault of [first, second]) await admin.call('DELETE', `/ext/v1/faults/${fault.body.id}`)
    expect((await me.call('DELETE', at('no-room'))).status).toBe(204)
  })

  test('an instance whose sled is lost before the boot fails, and starts elsewhere', async () => {
    await create('unlucky', { start: false, auto_restart_policy: 'never' })
    await me.post(at('unlucky', '/start'))
    const sleds = await bed.db.selectFrom('sled').select('id').execute()
    const faults = await Promise.all(sleds.map(({ id }) => inject('sled_lost', { sled_id: id })))
    expect((await becomes('unlucky', 'failed')).failure.code).toBe('sled_lost')
    for (const fault of faults) await admin.call('DELETE', `/ext/v1/faults/${fault.body.id}`)
  })
})

test('anti-affinity separates members from their creation on', async () => {
  const project = (await me.get('/v1/projects/playground')).body.id
  const row = { time_created: new Date(), time_modified: new Date(), description: '', project_id: project }
  const group = {
    ...row,
    id: crypto.randomUUID(),
    name: 'apart',
    policy: 'fail' as const,
    failure_domain: 'sled' as const,
  }
  await bed.db.insertInto('anti_affinity_group').values(group).execute()
  for (let n = 0; n < 8; n++)
    expect(said(await create(`apart-${n}`, { anti_affinity_groups: [n % 2 ? 'apart' : group.id] }))).toBe(
      '201 starting',
    )
  const ninth = await create('apart-8', { anti_affinity_groups: ['apart'] })
  expect(said(ninth)).toBe('201 failed')
  expect(ninth.body.failure.details.sleds).toEqual([
    { count: 8, reason: 'holds another member of an anti-affinity group' },
  ])
  expect(said(await create('apart-9', { anti_affinity_groups: ['nobody'] }))).toBe(
    '404 not found: anti-affinity-group with name "nobody"',
  )
})

test('after three hundred random requests all counters are consistent', async () => {
  const random = seeded(20_260)
  const names = Array.from({ length: 6 }, (_, index) => `random-${index}`)
  const pick = () => names[random(names.length)] ?? ''
  const disk = (name: string, size = GiB * (1 + random(3))) => ({
    name,
    description: '',
    size,
    disk_source: blank,
  })
  const requests = [
    (name: string) =>
      create(name, {
        ncpus: 1 + random(4),
        memory: GiB * (1 + random(4)),
        start: random(2) === 0,
        auto_restart_policy: random(2) ? 'never' : 'best_effort',
        boot_disk: random(2) ? { type: 'create', ...disk(`${name}-boot`) } : null,
        external_ips: random(2) ? [{ type: 'ephemeral' }] : [],
      }),
    act.start,
    act.stop,
    act.reboot,
    act.resize,
    act.delete,
    async (name: string) => inject('vm_crash', { instance_id: (await view(name)).id ?? crypto.randomUUID() }),
    (name: string) => me.post('/v1/disks?project=playground', disk(`${name}-data`)),
    (name: string) => me.call('DELETE', `/v1/disks/${name}-data?project=playground`),
    (name: string) => me.call('DELETE', `/v1/disks/${name}-boot?project=playground`),
    (name: string) => me.post(at(name, '/disks/attach'), { disk: `${pick()}-data` }),
    (name: string) => me.post(at(name, '/disks/detach'), { disk: `${pick()}-data` }),
    (name: string) =>
      me.post('/v1/snapshots?project=playground', {
        name: `${name}-snap`,
        description: '',
        disk: `${pick()}-data`,
      }),
    (name: string) => me.call('DELETE', `/v1/snapshots/${name}-snap?project=playground`),
    async () => {
      bed.pass(random(4000))
      return me.get('/v1/ping')
    },
  ]
  for (let done = 0; done < 300;) {
    const burst = Array.from({ length: 1 + random(5) }, () => requests[random(requests.length)] ?? act.start)
    for (const { status, body } of await Promise.all(burst.map((request) => request(pick()))))
      expect(status, JSON.stringify(body)).not.toBe(500)
    done += burst.length
  }
  await expectBooksToBalance()

  // Every transition completes.
  const { items } = (await me.get('/v1/instances?project=playground&limit=1000')).body
  for (const { name } of items) await me.post(at(name, '/stop'))
  bed.pass(60_000)
  await eventually(
    async () => (await me.get('/v1/instances?project=playground&limit=1000')).body.items,
    (all) =>
      all.every((instance: { run_state: string }) => ['stopped', 'failed'].includes(instance.run_state)),
  )
  bed.pass(60_000)
  await eventually(
    () =>
      bed.db
        .selectFrom('job')
        .select(['kind', 'attempts', 'failure'])
        .where('state', '=', 'pending')
        .execute(),
    (jobs) => jobs.length === 0,
  )
  expect(await bed.db.selectFrom('job').selectAll().where('state', '=', 'failed').execute()).toEqual([])
  await expectBooksToBalance()
  expect((await me.get('/v1/utilization')).body.provisioned).toMatchObject({ cpus: 0, memory: 0 })
  // What each printed last is kept before it is destroyed.
  await eventually(
    () => bed.db.selectFrom('simulated_vm').select('phase').execute(),
    (machines) => machines.length === 0,
  )
  expect(await bed.db.selectFrom('guest').select('vmm_id').execute()).toEqual([])
})

/** Reservations, charges and VMs are three records of the same facts. */
async function expectBooksToBalance(): Promise<void> {
  const rows = async (query: ReturnType<typeof sql>) => (await query.execute(bed.db)).rows
  expect(
    await rows(sql`SELECT u.sled_id, u.threads, u.memory FROM sled_usage u
      LEFT JOIN (SELECT sled_id, sum(ncpus) AS threads, sum(memory) AS memory FROM vmm WHERE time_gone IS NULL
        GROUP BY sled_id) v ON v.sled_id = u.sled_id
      WHERE u.threads <> coalesce(v.threads, 0) OR u.memory <> coalesce(v.memory, 0)`),
    'sleds hold what their machines take',
  ).toEqual([])
  expect(
    await rows(sql`SELECT p.name, u.cpus, u.memory, u.storage, v.cpus AS vm_cpus, v.memory AS vm_memory, d.storage AS disks
      FROM provisioning u JOIN project p ON p.id = u.id
      LEFT JOIN (SELECT i.project_id, sum(v.ncpus) AS cpus, sum(v.memory) AS memory FROM vmm v
        JOIN instance i ON i.id = v.instance_id WHERE v.time_gone IS NULL GROUP BY i.project_id) v ON v.project_id = p.id
      LEFT JOIN (SELECT project_id, sum(size) AS storage FROM (
          SELECT project_id, size FROM disk WHERE time_deleted IS NULL UNION ALL
          SELECT project_id, size FROM snapshot WHERE time_deleted IS NULL) s GROUP BY project_id) d ON d.project_id = p.id
      WHERE u.cpus <> coalesce(v.cpus, 0) OR u.memory <> coalesce(v.memory, 0) OR u.storage <> coalesce(d.storage, 0)`),
    'projects are charged for what they have',
  ).toEqual([])
  expect(
    await rows(sql`SELECT s.id FROM provisioning s JOIN (
        SELECT p.silo_id, sum(u.cpus) AS cpus, sum(u.memory) AS memory, sum(u.storage) AS storage
        FROM project p JOIN provisioning u ON u.id = p.id GROUP BY p.silo_id) total ON total.silo_id = s.id
      WHERE s.cpus <> total.cpus OR s.memory <> total.memory OR s.storage <> total.storage`),
    'a silo is charged for its projects',
  ).toEqual([])
  expect(
    await rows(sql`SELECT i.name, i.run_state FROM instance i LEFT JOIN vmm v ON v.id = i.vmm_id AND v.time_gone IS NULL
      WHERE i.time_deleted IS NULL AND (v.id IS NULL) <> (i.run_state IN ('stopped', 'failed', 'creating'))`),
    'exactly the running instances have a VM',
  ).toEqual([])
  expect(
    await rows(
      sql`SELECT v.id FROM vmm v LEFT JOIN instance i ON i.vmm_id = v.id WHERE v.time_gone IS NULL AND i.id IS NULL`,
    ),
    'no machine without an instance',
  ).toEqual([])
  expect(
    await rows(sql`SELECT d.name, d.state FROM disk d LEFT JOIN instance i ON i.id = d.instance_id AND i.time_deleted IS NULL
      WHERE d.time_deleted IS NULL AND (d.state = 'attached') <> (i.id IS NOT NULL)`),
    'an attached address has an instance',
  ).toEqual([])
  expect(
    await rows(sql`SELECT e.ip FROM external_ip e LEFT JOIN instance i ON i.id = e.instance_id AND i.time_deleted IS NULL
      WHERE e.time_deleted IS NULL AND e.kind <> 'floating' AND i.id IS NULL`),
    'addresses without an instance are free',
  ).toEqual([])
}
