import { MiB } from '@gantry/api/base/bytes.rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BackupStore,
  type BackupStores,
  BackupStoreFailed,
  memoryBackupStores,
} from '../../blocks/backup-store.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import { GiB } from '../../testing/case-values.ts'
import {
  type Caller,
  eventually,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { testEnvironment } from '../../testing/environment.ts'
import { made } from '../../testing/hidden-things.ts'
import { chunkPrefix, idInManifestName, manifestPrefix } from './format/layout.ts'

const held = memoryBackupStores()
/** What happens before each call of the store. */
const before = {
  put: async (_name: string): Promise<void> => {},
  get: async (_name: string): Promise<void> => {},
}
const backupStores: BackupStores = {
  ...held,
  open(...given) {
    const store = held.open(...given)
    return {
      ...store,
      put: async (name, bytes) => before.put(name).then(() => store.put(name, bytes)),
      get: async (name, max) => before.get(name).then(() => store.get(name, max)),
    }
  },
}
const blocks = memoryBlocks()
const { settings } = testEnvironment()

const patient = { ...settings, backups: { at_once: 8 }, recycle_bin: { hours: 0 } }

let bed: TestBed
let me: Caller
let operator: Caller
let key = ''
beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks, backupStores, settings: patient } })
  me = await bed.signIn('member')
  operator = await bed.signIn('admin')
  await made(me, '/v1/projects', { name: 'shop', description: '' })
})
afterAll(() => bed.stop())

const at = 'project=shop'
const path = '/ext/v1/instance-backups'
const targets = '/ext/v1/system/backup-targets'
const folder = (name: string): { type: 'folder'; folder: string } => ({ type: 'folder', folder: name })
const storeOf = (name: string): BackupStore => held.open(folder(name), '', new AbortController().signal)
const names = (prefix: string, where = 'main'): Promise<string[]> => storeOf(where).list(prefix, undefined)
const disk = (name: string) => ({
  type: 'create',
  name,
  description: '',
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})

async function makeInstance(name: string, more: object[] = []): Promise<string> {
  const id = await made(me, `/v1/instances?${at}`, {
    name,
    description: `about ${name}`,
    hostname: name,
    ncpus: 1,
    memory: GiB,
    start: false,
    user_data: 'c2VjcmV0',
    boot_disk: disk(`${name}-boot`),
    disks: more,
  })
  await settledJobs(bed)
  return id
}
const contentOf = async (name: string): Promise<string> =>
  (
    await bed.db
      .selectFrom('disk')
      .select('content_id')
      .where('name', '=', name)
      .where('time_deleted', 'is', null)
      .executeTakeFirstOrThrow()
  ).content_id
const noise = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  for (let from = 0; from < length; from += 65_536)
    crypto.getRandomValues(bytes.subarray(from, from + 65_536))
  return bytes
}
const write = async (name: string, offset: number, bytes: Uint8Array): Promise<void> =>
  blocks.write(await contentOf(name), offset, bytes)
const read = async (name: string, offset: number, length: number): Promise<Uint8Array> =>
  blocks.read(await contentOf(name), offset, length)
/** Much faster than the comparison of an assertion. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])
const view = async (name: string) => (await me.get(`${path}/${name}?${at}`)).body
const begin = (instance: string, name: string) =>
  me.post(`${path}?${at}`, { name, description: 'd', instance })
async function until<Found>(look: () => Promise<Found>, fits: (found: Found) => boolean): Promise<Found> {
  return eventually(async () => {
    // A clock that moves while a job runs ends its lease.
    await settledJobs(bed)
    bed.pass(500)
    return look()
  }, fits)
}
async function backUp(instance: string, name: string) {
  expect((await begin(instance, name)).status).toBe(201)
  return until(
    () => view(name),
    ({ state }) => state !== 'creating',
  )
}
const task = (kind: string) =>
  until(
    async () => (await me.get(`/ext/v1/tasks?kind=${kind}`)).body.items[0],
    (found) => found !== undefined && found.state !== 'running',
  )
const remove = (name: string) => me.call('DELETE', `${path}/${name}?${at}`)
const chunkCount = async (): Promise<number> => (await names(chunkPrefix)).length

test('a target is a place with a key that is shown once, and taken over with that key alone', async () => {
  expect(said(await begin('nobody', 'early'))).toMatch(/^404/)
  await makeInstance('first')
  // The one of the demo.
  expect((await operator.call('DELETE', `${targets}/demo-backups`)).status).toBe(204)
  expect(said(await begin('first', 'early'))).toBe('400 there is no place for backups')
  const asked = { name: 'main', description: '', store: folder('main') }
  const answer = await operator.post(targets, asked)
  expect(answer.status).toBe(201)
  key = answer.body.encryption_key
  expect(atob(key)).toHaveLength(32)
  const shown = await operator.get(`${targets}/main`)
  expect(JSON.stringify(shown.body)).not.toContain(key)
  expect(shown.body).toMatchObject({ is_default: true, backups: 0, store: folder('main') })
  expect((await operator.post(`${targets}/main/test`)).body).toEqual({ works: true, problem: null })
  expect(said(await operator.post(targets, { ...asked, name: 'again' }))).toMatch(/holds backups already/)
  expect(
    said(await operator.post(targets, { ...asked, name: 'again', encryption_key: btoa('x'.repeat(32)) })),
  ).toMatch(/the key is not the one of this place/)
  expect(said(await operator.post(targets, { ...asked, name: 'again', encryption_key: key }))).toMatch(
    /backup target main is the same place/,
  )
  expect(
    said(await operator.post(targets, { ...asked, name: 'x', store: folder('x'), encryption_key: key })),
  ).toMatch(/holds no backups that this key could open/)
  expect(
    said(
      await operator.post(targets, {
        ...asked,
        store: {
          type: 's3',
          endpoint: 'https://s3.test',
          region: 'r',
          bucket: 'bucket',
          prefix: '',
          path_style: true,
          access_key_id: 'a',
          secret: 'b',
        },
      }),
    ),
  ).toMatch(/reaches no other servers/)
})

test('a user learns the names of the targets, and writes to one that is not the default', async () => {
  expect(
    (await operator.post(targets, { name: 'other', description: 'far', store: folder('other') })).status,
  ).toBe(201)
  const places = `/ext/v1/instance-backup-targets?${at}`
  const { items } = (await me.get(places)).body
  expect(items).toEqual([
    { id: expect.any(String), name: 'main', is_default: false },
    { id: expect.any(String), name: 'other', is_default: true },
  ])
  const changed = await operator.call('PUT', `${targets}/main`, { description: 'near', is_default: true })
  expect(changed.body).toMatchObject({ name: 'main', description: 'near', is_default: true })
  expect((await operator.get(`${targets}/other`)).body.is_default).toBe(false)
  expect((await me.call('PUT', `${targets}/main`, { is_default: true })).status).toBe(404)
  const asked = { name: 'elsewhere', description: '', instance: 'first' }
  for (const backup_target of ['nowhere', crypto.randomUUID()])
    expect(said(await me.post(`${path}?${at}`, { ...asked, backup_target }))).toMatch(
      /^404 not found: backup-target/,
    )
  const begun = (await me.post(`${path}?${at}`, { ...asked, backup_target: 'other' })).body
  expect(begun).toMatchObject({ backup_target_name: 'other', state: 'creating', done: 0 })
  await until(
    () => view('elsewhere'),
    ({ state }) => state !== 'creating',
  )
  expect(await view('elsewhere')).toMatchObject({ state: 'ready', done: null })
  expect(await names(manifestPrefix, 'other')).toHaveLength(1)
  expect(
    (await me.post(`${path}?${at}`, { ...asked, name: 'by-id', backup_target: items[1].id })).status,
  ).toBe(201)
  await until(
    () => view('by-id'),
    ({ state }) => state !== 'creating',
  )
  expect((await operator.call('DELETE', `${targets}/other`)).status).toBe(204)
})

test('sends each piece once: the second backup holds what changed, and both can be read', async () => {
  const id = await makeInstance('web', [disk('web-data')])
  const first = noise(5 * MiB + 1000)
  await write('web-boot', 3 * MiB + 17, first)
  await write('web-data', 0, first)
  const one = await backUp('web', 'one')
  expect(one).toMatchObject({
    state: 'ready',
    consistency: 'stopped',
    instance_id: id,
    size: 2 * GiB,
    backup_target_name: 'main',
    disks: [
      { name: 'web-boot', is_boot: true },
      { name: 'web-data', is_boot: false },
    ],
    settings: { ncpus: 1, has_user_data: true },
  })
  expect(one.stored).toBeGreaterThan(10 * MiB)
  expect(await task('instance-backup')).toMatchObject({
    verb: 'take',
    state: 'finished',
    object: { name: 'one' },
  })
  const chunks = await chunkCount()
  await write('web-data', 2 * MiB, Uint8Array.of(1, 2, 3))
  const two = await backUp('web', 'two')
  expect(two.stored).toBeLessThan(1.1 * MiB)
  expect(await chunkCount()).toBe(chunks + 1)
  expect((await backUp('web', 'three')).stored).toBe(0)
  expect((await operator.get(`${targets}/main`)).body).toMatchObject({
    backups: 3,
    stored: one.stored + two.stored,
  })
  expect((await me.get(`${path}?${at}&instance_id=${id}`)).body.items).toHaveLength(3)
  // Nothing of the copies is left, and nothing is in plain text.
  expect(await bed.db.selectFrom('backup_work').selectAll().execute()).toEqual([])
  const sealed = await storeOf('main').get((await names(manifestPrefix))[0] ?? '', 1e6)
  expect(new TextDecoder().decode(sealed)).not.toContain('web')
  expect((await me.post(`${path}/two/verify?${at}`)).status).toBe(202)
  const verified = await until(
    () => view('two'),
    ({ state }) => state !== 'verifying',
  )
  expect(verified).toMatchObject({ state: 'ready', failure: null })
  expect(verified.time_verified).not.toBeNull()
  expect(await task('instance-backup')).toMatchObject({ verb: 'verify', state: 'finished' })
})

test('restores as a new instance, one disk, and in place, and leaves nothing else behind', async () => {
  await makeInstance('db', [disk('db-data')])
  const bytes = noise(2 * MiB)
  await write('db-data', 7 * MiB - 5, bytes)
  await backUp('db', 'db-one')
  await write('db-data', 7 * MiB, new Uint8Array(MiB))
  const restore = (body: object) => me.post(`${path}/db-one/restore?${at}`, body)
  const used = async (): Promise<number> => (await me.get('/v1/utilization')).body.provisioned.storage

  const before = await used()
  expect((await restore({ type: 'instance', name: 'db-again' })).status).toBe(202)
  expect(await task('instance-backup-restore')).toMatchObject({
    verb: 'restore',
    state: 'finished',
    object: { kind: 'instance-backup', name: 'db-one' },
  })
  const again = (await me.get(`/v1/instances/db-again?${at}`)).body
  expect(again).toMatchObject({ ncpus: 1, memory: GiB, hostname: 'db-again', run_state: 'stopped' })
  expect((await used()) - before).toBe(2 * GiB)
  const { items } = (await me.get(`/v1/instances/db-again/disks?${at}`)).body as { items: { name: string }[] }
  const data = items.find(({ name }) => name.includes('data'))?.name ?? ''
  expect(isSame(await read(data, 7 * MiB - 5, bytes.length), bytes)).toBe(true)

  const [, source] = (await view('db-one')).disks as { disk_id: string }[]
  expect(said(await restore({ type: 'disk', disk_id: source?.disk_id, name: 'db-data' }))).toMatch(
    /already exists/,
  )
  expect((await restore({ type: 'disk', disk_id: source?.disk_id, name: 'rescued' })).status).toBe(202)
  expect(await task('instance-backup-restore')).toMatchObject({ state: 'finished' })
  expect(isSame(await read('rescued', 7 * MiB - 5, bytes.length), bytes)).toBe(true)

  await me.post(`/v1/instances/db/start?${at}`)
  expect(said(await restore({ type: 'in_place' }))).toMatch(/instance db is/)
  await until(
    async () => (await me.get(`/v1/instances/db?${at}`)).body.run_state,
    (state) => state === 'running',
  )
  await me.post(`/v1/instances/db/stop?${at}`)
  await until(
    async () => (await me.get(`/v1/instances/db?${at}`)).body.run_state,
    (state) => state === 'stopped',
  )
  expect((await restore({ type: 'in_place', keep_present: false })).status).toBe(202)
  expect(await task('instance-backup-restore')).toMatchObject({ state: 'finished' })
  expect(isSame(await read('db-data', 7 * MiB - 5, bytes.length), bytes)).toBe(true)

  expect((await me.get(`/ext/v1/instance-snapshots?${at}`)).body.items).toEqual([])
  expect((await me.get(`/v1/snapshots?${at}`)).body.items).toEqual([])
  const { rows } = await sql<{ content_id: string }>`SELECT d->>'content_id' AS content_id
    FROM instance_backup_restore, jsonb_array_elements(disks) d`.execute(bed.db)
  await until(
    async () => Promise.all(rows.map(({ content_id }) => blocks.size(content_id))),
    (sizes) => sizes.every((size) => size === undefined),
  )
})

test('a list is filtered, sorted, summed up and tagged, and many are deleted as one task', async () => {
  for (const instance of ['alpha', 'beta']) {
    await makeInstance(instance)
    await write(`${instance}-boot`, 0, noise(MiB))
    for (const number of [1, 2]) await backUp(instance, `${instance}-${number}`)
  }
  await me.post(`${path}/alpha-2/verify?${at}`)
  await until(
    () => view('alpha-2'),
    ({ state }) => state !== 'verifying',
  )
  const listed = async (filter: string, more = ''): Promise<string> => {
    const answer = await me.get(`${path}?${at}&filter=${encodeURIComponent(filter)}${more}`)
    expect(said(answer), filter).toBe('200')
    return answer.body.items.map(({ name }: { name: string }) => name).join(' ')
  }
  const both = 'instance:alpha,beta'
  expect(await listed(`${both} stored>1KiB`)).toBe('alpha-1 beta-1')
  expect(await listed(`${both} stored<1KiB`)).toBe('alpha-2 beta-2')
  expect(await listed(`${both} verified:none`, '&sort_by=time_created_descending')).toBe(
    'beta-2 beta-1 alpha-1',
  )
  expect(await listed('instance:al* verified<1d')).toBe('alpha-2')
  expect(await listed(`${both} target:nowhere`)).toBe('')
  const sorted = await listed(`${both} target:main state:ready`, '&sort_by=instance_name_descending')
  expect(sorted.replaceAll(/-\d/g, '')).toBe('beta beta alpha alpha')
  expect(await listed(both, `&instance_id=${(await view('beta-1')).instance_id}`)).toBe('beta-1 beta-2')
  const query = (filter: string) => `${at}&kind=instance-backup&filter=${encodeURIComponent(filter)}`
  expect((await me.get(`/ext/v1/list-totals?${query(both)}`)).body).toMatchObject({ count: 4, size: 4 * GiB })
  const values = (await me.get(`/ext/v1/list-values?${query(both)}&field=target`)).body.items
  expect(values).toEqual([{ value: 'main', count: 4 }])

  const ended = (where: string) =>
    until(
      async () => (await me.get(where)).body,
      ({ state }) => state === 'done',
    )
  const set = [{ key: 'keep', value: 'no' }]
  const asked = { kind: 'instance-backup', filter: 'instance:alpha', at_most: 2 }
  const tagging = await me.post(`/ext/v1/bulk-taggings?${at}`, { ...asked, set })
  await ended(`/ext/v1/bulk-taggings/${tagging.body.id}`)
  expect(await listed('tag:keep=no')).toBe('alpha-1 alpha-2')
  const chunks = await chunkCount()
  const deletion = await me.post(`/ext/v1/bulk-deletions?${at}`, {
    kind: 'instance-backup',
    filter: 'tag:keep=no',
    at_most: 2,
  })
  expect((await ended(`/ext/v1/bulk-deletions/${deletion.body.id}`)).items).toMatchObject([
    { state: 'done' },
    { state: 'done' },
  ])
  expect(await listed(both)).toBe('beta-1 beta-2')
  await until(chunkCount, (count) => count === chunks - 1)
})

test('a deleted backup frees what no other one names, and one that is being made is cancelled', async () => {
  await makeInstance('shared')
  await write('shared-boot', 0, noise(4 * MiB))
  await backUp('shared', 'keep')
  await write('shared-boot', 0, noise(2 * MiB))
  await backUp('shared', 'go')
  const chunks = await chunkCount()
  expect((await remove('go')).status).toBe(204)
  await until(chunkCount, (count) => count === chunks - 2)
  expect((await names(manifestPrefix)).length).toBe(
    (await bed.db.selectFrom('instance_backup').select('id').where('time_deleted', 'is', null).execute())
      .length,
  )
  // Cancelled in the middle: what it has sent goes.
  await write('shared-boot', 20 * MiB, noise(8 * MiB))
  let sent = 0
  before.put = async (name) => {
    if (name.startsWith(chunkPrefix) && ++sent === 3) await remove('cancelled')
  }
  await begin('shared', 'cancelled')
  await until(chunkCount, (count) => sent >= 3 && count === chunks - 2)
  before.put = async () => {}
  expect((await view('cancelled')).error_code).toBe('ObjectNotFound')
  expect(await task('instance-backup')).toMatchObject({ state: 'cancelled' })
  expect(await bed.db.selectFrom('backup_work').selectAll().execute()).toEqual([])
})

test('goes on after failures of the store, says what fails for good, and lists no part of it', async () => {
  await makeInstance('flaky')
  await write('flaky-boot', 0, noise(6 * MiB))
  const manifests = (await names(manifestPrefix)).length
  let failures = 3
  before.put = async (name) => {
    if (name.startsWith(chunkPrefix) && failures-- > 0) throw new BackupStoreFailed('It broke.', 'Wait.')
  }
  expect(await backUp('flaky', 'in-the-end')).toMatchObject({ state: 'ready' })
  before.put = async (name) => {
    if (name.startsWith(manifestPrefix)) throw new BackupStoreFailed('No room.', 'Make room.')
  }
  expect(await backUp('flaky', 'never')).toMatchObject({
    state: 'faulted',
    failure: { message: 'No room.', next_step: 'Make room.' },
  })
  before.put = async () => {}
  expect(await names(manifestPrefix)).toHaveLength(manifests + 1)
  expect(await bed.db.selectFrom('backup_work').selectAll().execute()).toEqual([])
  expect((await remove('never')).status).toBe(204)
})

test('a lost piece is found by a verification, and sent again by the next backup', async () => {
  await makeInstance('worn')
  const bytes = noise(3 * MiB)
  await write('worn-boot', 0, bytes)
  const known = new Set(await names(chunkPrefix))
  await backUp('worn', 'whole')
  const mine = (await names(chunkPrefix)).find((name) => !known.has(name)) ?? ''
  const store = storeOf('main')
  const good = await store.get(mine, 2 * MiB)
  const bad = good?.slice() ?? new Uint8Array(0)
  bad[100] = (bad[100] ?? 0) ^ 1
  await store.put(mine, bad)
  await me.post(`${path}/whole/verify?${at}`)
  const found = await until(
    () => view('whole'),
    ({ state }) => state !== 'verifying',
  )
  expect(found).toMatchObject({ state: 'faulted' })
  expect(found.failure.message).toMatch(/lost or changed 1 piece of the disk/)
  expect(said(await me.post(`${path}/whole/restore?${at}`, { type: 'instance', name: 'x' }))).toMatch(
    /state faulted/,
  )
  await until(
    async () => store.has(mine),
    (has) => !has,
  )
  const next = await backUp('worn', 'mended')
  expect(next).toMatchObject({ state: 'ready' })
  expect(await store.has(mine)).toBe(true)
  await me.post(`${path}/mended/verify?${at}`)
  expect(
    await until(
      () => view('mended'),
      ({ state }) => state !== 'verifying',
    ),
  ).toMatchObject({ state: 'ready' })
})

test('two instances are backed up into one target at once, while another backup of it is deleted', async () => {
  for (const name of ['left', 'right']) {
    await makeInstance(name)
    const same = noise(3 * MiB)
    await write(`${name}-boot`, 0, same)
    await write(`${name}-boot`, 9 * MiB, same)
  }
  await begin('left', 'left-one')
  await begin('right', 'right-one')
  await remove('keep')
  const states = async () => [(await view('left-one')).state, (await view('right-one')).state]
  expect(await until(states, (all) => !all.includes('creating'))).toEqual(['ready', 'ready'])
  for (const name of ['left-one', 'right-one']) {
    await me.post(`${path}/${name}/verify?${at}`)
    expect(
      await until(
        () => view(name),
        ({ state }) => state !== 'verifying',
      ),
    ).toMatchObject({ state: 'ready' })
  }
})

test('sixteen backups of one user wait for each other, and one of another user for none of them', async () => {
  await makeInstance('crowd')
  await write('crowd-boot', 0, noise(4 * MiB))
  await made(operator, '/v1/projects', { name: 'neighbour', description: '' })
  const there = 'project=neighbour'
  await made(operator, `/v1/instances?${there}`, {
    name: 'alone',
    description: '',
    hostname: 'alone',
    ncpus: 1,
    memory: GiB,
    start: false,
    boot_disk: disk('alone-boot'),
  })
  await settledJobs(bed)
  await write('alone-boot', 0, noise(MiB))
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  // Each ends by writing its manifest, which those of the first user do not.
  before.put = async (name) => {
    if (!name.startsWith(manifestPrefix)) return
    const id = idInManifestName(name)
    const of = await bed.db
      .selectFrom('instance_backup')
      .select('instance_name')
      .where('id', '=', id)
      .execute()
    if (of[0]?.instance_name === 'crowd') await released
  }
  const all = Array.from({ length: 16 }, (_, at) => `crowd-${at}`)
  try {
    for (const name of all) expect((await begin('crowd', name)).status).toBe(201)
    const sending = async () =>
      (await bed.db.selectFrom('backup_work').select('is_sending').where('is_sending', '=', true).execute())
        .length
    // As many long jobs as one user has at once.
    await eventually(sending, (count) => count === 3)
    const body = { name: 'quick', description: '', instance: 'alone' }
    expect((await operator.post(`${path}?${there}`, body)).status).toBe(201)
    await eventually(
      async () => (await operator.get(`${path}/quick?${there}`)).body.state,
      (state) => state === 'ready',
    )
    expect(await sending()).toBe(3)
    expect(await Promise.all(all.map(async (name) => (await view(name)).state))).toEqual(
      all.map(() => 'creating'),
    )
  } finally {
    before.put = async () => {}
    release()
  }
  await until(
    () => Promise.all(all.map(async (name) => (await view(name)).state)),
    (states) => states.every((state) => state === 'ready'),
  )
})

test('another installation with the key lists what a target holds, brings it into a project, and restores it', async () => {
  await makeInstance('lost')
  const bytes = noise(MiB)
  await write('lost-boot', 11, bytes)
  await backUp('lost', 'last')
  const elsewhere = memoryBlocks()
  const other = await testControlPlane({
    environment: { blocks: elsewhere, backupStores, settings: patient },
  })
  try {
    const admin = await other.signIn('admin')
    const member = await other.signIn('member')
    await made(member, '/v1/projects', { name: 'rescue', description: '' })
    expect(
      (
        await admin.post(targets, {
          name: 'old',
          description: '',
          store: folder('main'),
          encryption_key: key,
        })
      ).status,
    ).toBe(201)
    const { items } = (await admin.get(`${targets}/old/backups`)).body as {
      items: { id: string; name: string; instance_name: string; is_known: boolean }[]
    }
    const last = items.find(({ name }) => name === 'last')
    expect(last).toMatchObject({ instance_name: 'lost', project_name: 'shop', is_known: false })
    const { rows } = await sql<{ id: string }>`SELECT id FROM project WHERE name = 'rescue'`.execute(other.db)
    const adopted = await admin.post(`${targets}/old/adopt`, { project: rows[0]?.id, backups: [last?.id] })
    expect(adopted.status).toBe(204)
    const there = 'project=rescue'
    expect((await member.get(`${path}/last?${there}`)).body).toMatchObject({
      state: 'ready',
      instance_name: 'lost',
    })
    expect(said(await member.post(`${path}/last/restore?${there}`, { type: 'in_place' }))).toMatch(
      /instance lost is not in this project/,
    )
    expect(
      (await member.post(`${path}/last/restore?${there}`, { type: 'instance', name: 'found' })).status,
    ).toBe(202)
    const ended = await eventually(
      async () => {
        await settledJobs(other)
        return (await member.get('/ext/v1/tasks?kind=instance-backup-restore')).body.items[0]
      },
      (found) => found !== undefined && found.state !== 'running',
    )
    expect(ended).toMatchObject({ state: 'finished' })
    const { content_id } = await other.db
      .selectFrom('disk')
      .select('content_id')
      .where('name', 'like', 'found-lost-boot%')
      .executeTakeFirstOrThrow()
    expect(isSame(await elsewhere.read(content_id, 11, bytes.length), bytes)).toBe(true)
  } finally {
    await other.stop()
  }
  // The first installation no longer writes there, and says why.
  expect(await backUp('lost', 'late')).toMatchObject({
    state: 'faulted',
    failure: { message: expect.stringContaining('taken this target over') },
  })
  expect((await operator.post(`${targets}/main/test`)).body).toMatchObject({ works: false })
  // It forgets the target, and gets its backups back with the key.
  expect((await operator.call('DELETE', `${targets}/main`)).status).toBe(204)
  expect((await me.get(`${path}?${at}`)).body.items).toEqual([])
  await made(operator, targets, { name: 'main', description: '', store: folder('main'), encryption_key: key })
  const { items } = (await operator.get(`${targets}/main/backups`)).body as {
    items: { id: string; name: string }[]
  }
  const { rows } = await sql<{ id: string }>`SELECT id FROM project WHERE name = 'shop'`.execute(bed.db)
  const wanted = items.filter(({ name }) => ['one', 'last'].includes(name)).map(({ id }) => id)
  expect(
    (await operator.post(`${targets}/main/adopt`, { project: rows[0]?.id, backups: wanted })).status,
  ).toBe(204)
  expect((await me.get(`${path}?${at}`)).body.items.map(({ name }: { name: string }) => name)).toEqual([
    'last',
    'one',
  ])
})
