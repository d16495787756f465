import { bulkWriteMaxBytes } from '@gantry/api/storage/disk.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeBase64 } from '../../context/base64.ts'
import {
  type Caller,
  eventually,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { withoutBin } from '../../testing/environment.ts'
import { failingBlocks, storageSteps } from './storage.fixtures.ts'

const GiB = 1024 ** 3
const { blocks, failing } = failingBlocks()

let bed: TestBed
let me: Caller
let viewer: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks, settings: withoutBin } })
  me = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
})
afterAll(() => bed.stop())

const steps = storageSteps(() => ({ bed, me }))

const base64 = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
const bytesOf = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)

async function makeImport(name: string, block_size = 512): Promise<string> {
  const made = await steps.makeDisk(name, { disk_source: { type: 'importing_blocks', block_size } })
  expect([made.status, made.body.state]).toEqual([201, { state: 'creating' }])
  return made.body.id
}
const act = (name: string, action: string, body?: unknown, who = me) =>
  who.post(`/v1/disks/${name}/${action}?project=playground`, body)
const start = (name: string) => act(name, 'bulk-write-start').then(steps.said)
const stop = (name: string) => act(name, 'bulk-write-stop').then(steps.said)
const write = (name: string, offset: number, bytes: Uint8Array) =>
  act(name, 'bulk-write', { offset, base64_encoded_data: base64(bytes) }).then(steps.said)
const finalize = (name: string, snapshot_name?: string) =>
  act(name, 'finalize', { snapshot_name }).then(steps.said)
const stateOf = (name: string) => steps.stateOf(`disks/${name}`)

test('blocks are imported concurrently and in any order, and end up in a snapshot', async () => {
  const id = await makeImport('whole')
  expect(await stateOf('whole')).toBe('import_ready')
  expect(await start('whole')).toBe('204')
  expect(await stateOf('whole')).toBe('importing_from_bulk_writes')
  const pieces = [5, 1, 7, 3, 0]
  const answers = pieces.map((piece) =>
    write('whole', piece * bulkWriteMaxBytes, bytesOf(bulkWriteMaxBytes, piece + 1)),
  )
  expect(await Promise.all(answers)).toEqual(pieces.map(() => '204'))
  expect(await write('whole', 0, bytesOf(512, 9))).toBe('204')
  expect(await write('whole', GiB - 512, bytesOf(512, 8))).toBe('204')
  expect(await stop('whole')).toBe('204')
  // Starting and stopping is idempotent: nothing is lost between two periods of writing.
  expect([await start('whole'), await stop('whole')]).toEqual(['204', '204'])
  const before = await steps.storage()
  expect(await finalize('whole', 'whole-snap')).toBe('204')
  expect(await stateOf('whole')).toBe('detached')
  expect((await me.get('/v1/snapshots/whole-snap?project=playground')).body).toMatchObject({
    state: 'ready',
    disk_id: id,
    size: GiB,
    description: `snapshot of finalized disk ${id}`,
  })
  expect(await steps.storage()).toBe(before + GiB)
  const snapshot = await steps.contentOf('snapshot', 'whole-snap')
  for (const [offset, value] of [
    [0, 9],
    [512, 1],
    [2 * bulkWriteMaxBytes, 0],
    [5 * bulkWriteMaxBytes, 6],
    [8 * bulkWriteMaxBytes, 0],
    [GiB - 512, 8],
  ] as const)
    expect(await blocks.read(snapshot, offset, 4)).toEqual(bytesOf(4, value))
})

test('pieces of an import leave neither change records nor audit records', async () => {
  await makeImport('quiet')
  await start('quiet')
  const count = async () => {
    const rows = (['change', 'audit', 'job'] as const).map((table) =>
      bed.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    )
    return (await Promise.all(rows)).map((row) => row.count)
  }
  await settledJobs(bed)
  const before = await count()
  for (let piece = 0; piece < 5; piece++) await write('quiet', piece * 512, bytesOf(512, 1))
  expect(await count()).toEqual(before)
  expect(await write('quiet', 1, bytesOf(512, 1))).toContain('400')
  expect((await count())[1]).toBe(Number(before[1]) + 1)
})

describe('what is refused', () => {
  const instance = crypto.randomUUID()
  const states = {
    import_ready: 'ImportReady',
    importing_from_bulk_writes: 'ImportingFromBulkWrites',
    finalizing: 'Finalizing',
    maintenance: 'Maintenance',
    detached: 'Detached',
    creating: 'Creating',
    faulted: 'Faulted',
    attached: `Attached(${instance})`,
  } as const
  test.each(Object.keys(states) as (keyof typeof states)[])('for a disk that is %s', async (state) => {
    const name = `is-${state.replaceAll('_', '-')}`
    await makeImport(name)
    const held = state === 'attached' ? instance : null
    const as = (now: typeof state) =>
      bed.db
        .updateTable('disk')
        .set({ state: now, instance_id: held, slot: held && 0 })
        .where('name', '=', name)
        .execute()
    const shown = states[state]
    await as(state)
    const answers: Record<string, [string, () => Promise<string>]> = {
      start: [`cannot set disk in state ${shown} to "importing_from_bulk_writes"`, () => start(name)],
      finalize: [`cannot finalize disk in state DiskState(${shown})`, () => finalize(name)],
      stop: [`cannot set disk in state ${shown} to "import_ready"`, () => stop(name)],
      write: [
        `cannot import blocks with a bulk write for disk in state ${shown}`,
        () => write(name, 0, bytesOf(512, 1)),
      ],
    }
    const allowed: Record<string, string[]> = {
      import_ready: ['start', 'finalize'],
      importing_from_bulk_writes: ['stop', 'write'],
    }
    const refused = Object.entries(answers).filter(([action]) => !allowed[state]?.includes(action))
    for (const [, [message, act]] of refused) expect(await act()).toBe(`400 ${message}`)
    expect(
      (await bed.db.selectFrom('disk').select('state').where('name', '=', name).executeTakeFirst())?.state,
    ).toBe(state)
    await bed.db
      .updateTable('disk')
      .set({ state: 'detached', instance_id: null, slot: null })
      .where('name', '=', name)
      .execute()
  })

  test('for bytes that do not fit', async () => {
    await makeImport('picky', 2048)
    await start('picky')
    const rows: [offset: number, length: number, answer: string][] = [
      [0, 0, '204'],
      [2048, bulkWriteMaxBytes, '204'],
      [512, 2048, '400 offset not multiple of block size!'],
      [0, 512, '400 data length not multiple of block size!'],
      [GiB, 2048, '400 offset + data length off end of region!'],
      [GiB - 2048, 4096, '400 offset + data length off end of region!'],
      [0, bulkWriteMaxBytes + 2048, '400 data length 526336 is more than the 512 KiB of one write!'],
    ]
    for (const [offset, length, answer] of rows)
      expect(await write('picky', offset, bytesOf(length, 1))).toBe(answer)
    const raw = (base64_encoded_data: string) =>
      act('picky', 'bulk-write', { offset: 0, base64_encoded_data }).then(steps.said)
    for (const [text, problem] of [
      ['A', 'Invalid padding'],
      ['AA=', 'Invalid padding'],
      ['AAA!', 'Invalid symbol 33, offset 3'],
      ['AA-_', 'Invalid symbol 45, offset 2'],
      ['A===', 'Invalid symbol 61, offset 1'],
      ['AAé=', 'Invalid symbol 233, offset 2'],
      ['AB==', 'Invalid last symbol at offset 1'],
      ['AAB=', 'Invalid last symbol at offset 2'],
    ])
      expect(await raw(text ?? '')).toBe(`400 error base64 decoding data: ${problem}`)
  })

  test('for viewers, and for users without access', async () => {
    await makeImport('guarded')
    const nobody = await bed.addUser('nobody-imports')
    for (const [action, body] of [
      ['bulk-write-start', undefined],
      ['bulk-write', { offset: 0, base64_encoded_data: '' }],
      ['bulk-write-stop', undefined],
      ['finalize', {}],
    ] as const) {
      expect(steps.said(await act('guarded', action, body, viewer))).toBe('403 Forbidden')
      expect(steps.said(await act('guarded', action, body, nobody))).toBe(
        '404 not found: project with name "playground"',
      )
    }
    expect(await stateOf('guarded')).toBe('import_ready')
  })

  test('of a snapshot with a taken name or over the quota: the disk is unchanged', async () => {
    await makeImport('first')
    await makeImport('second')
    expect(await finalize('first', 'taken')).toBe('204')
    expect(await finalize('second', 'taken')).toBe('400 already exists: snapshot "taken"')
    expect(await stateOf('second')).toBe('import_ready')
    const silo = await bed.db
      .selectFrom('silo')
      .select('id')
      .where('name', '=', 'demo')
      .executeTakeFirstOrThrow()
    const quota = (storage: number) =>
      bed.db.updateTable('silo_quotas').set({ storage }).where('silo_id', '=', silo.id).execute()
    await quota(await steps.storage())
    expect(await finalize('second', 'too-much')).toMatch(/^507 Insufficient capacity: Storage Limit Exceeded/)
    expect(await stateOf('second')).toBe('import_ready')
    await quota(20 * 1024 * GiB)
    expect(await finalize('second')).toBe('204')
    expect(await stateOf('second')).toBe('detached')
  })
})

test('of two concurrent finalizations one succeeds, with one snapshot', async () => {
  await makeImport('race')
  const answers = await Promise.all([finalize('race', 'race-a'), finalize('race', 'race-b')])
  expect(answers.filter((answer) => answer === '204')).toHaveLength(1)
  expect(answers.find((answer) => answer !== '204')).toMatch(/^400 cannot finalize disk in state DiskState\(/)
  expect(await stateOf('race')).toBe('detached')
  const snapshots = await bed.db
    .selectFrom('snapshot')
    .select('name')
    .where('name', 'like', 'race-%')
    .execute()
  expect(snapshots).toHaveLength(1)
})

test('a stop returns once no write is in progress', async () => {
  await makeImport('late')
  await start('late')
  const order: string[] = []
  let release = (): void => {}
  const reached = new Promise<void>((reach) => {
    failing.beforeWrite = () => {
      reach()
      return new Promise((resolve) => (release = resolve))
    }
  })
  const writing = write('late', 0, bytesOf(512, 7)).then((answer) => order.push(`write ${answer}`))
  await reached
  const stopping = stop('late').then((answer) => order.push(`stop ${answer}`))
  await eventually(
    () => stateOf('late'),
    (state) => state === 'import_ready',
  )
  expect(order).toEqual([])
  failing.beforeWrite = async () => {}
  release()
  await Promise.all([writing, stopping])
  expect(order).toEqual(['write 204', 'stop 204'])
})

test('a crash during finalization leaves no disk in an intermediate state', async () => {
  await makeImport('killed')
  failing.create = 1
  // The caller would make an image of the snapshot now.
  expect(await act('killed', 'finalize', { snapshot_name: 'killed' })).toMatchObject({
    status: 503,
    body: { help: 'The snapshot is still being created, and then the disk is finalized. Wait for both.' },
  })
  expect(await stateOf('killed')).toBe('finalizing')
  expect(await act('killed', 'finalize', {})).toMatchObject({
    status: 400,
    body: { help: 'It is being finalized. Wait until it is detached.' },
  })
  const records = await bed.db
    .selectFrom('audit')
    .select('http_status_code')
    .where('operation_id', '=', 'disk_finalize_import')
    .where('request_uri', 'like', '%/killed/%')
    .orderBy('time_completed')
    .execute()
  expect(records.map(({ http_status_code }) => http_status_code)).toEqual([204, 503, 400])
  await steps.settled()
  expect([await stateOf('killed'), await steps.stateOf('snapshots/killed')]).toEqual(['detached', 'ready'])
})

test('a permanently failing store faults the snapshot and releases the disk', async () => {
  await makeImport('unlucky')
  failing.create = 8
  expect(await finalize('unlucky', 'unlucky')).toBe('503 Service Unavailable')
  await steps.settled()
  expect([await stateOf('unlucky'), await steps.stateOf('snapshots/unlucky')]).toEqual([
    'detached',
    'faulted',
  ])
})

test('an import whose snapshot fails at once is answered with the reason', async () => {
  await makeImport('refused')
  failing.refused = 1
  expect(await act('refused', 'finalize', { snapshot_name: 'refused' })).toMatchObject({
    status: 400,
    body: { message: 'create refused', help: 'Use another size.' },
  })
  expect([await stateOf('refused'), await steps.stateOf('snapshots/refused')]).toEqual([
    'detached',
    'faulted',
  ])
})

test('a disk whose bytes were never created says so, and can be deleted in the end', async () => {
  failing.create = 8
  await makeImport('hollow')
  await start('hollow')
  const refused = await act('hollow', 'bulk-write', {
    offset: 0,
    base64_encoded_data: base64(bytesOf(512, 1)),
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  await steps.settled()
  expect(await stateOf('hollow')).toBe('faulted')
  expect(steps.said(await me.call('DELETE', '/v1/disks/hollow?project=playground'))).toBe('204')
})

test('an import whose bytes are still being created is not finalized with a snapshot', async () => {
  failing.create = 1
  await makeImport('early')
  expect(await finalize('early', 'early')).toBe('503 Service Unavailable')
  expect(await stateOf('early')).toBe('import_ready')
  await steps.settled()
  expect(await finalize('early', 'early')).toBe('204')
  expect(await steps.stateOf('snapshots/early')).toBe('ready')
})

test('a full store is no error of the control plane', async () => {
  await makeImport('full')
  await start('full')
  failing.full = 1
  expect(await write('full', 0, bytesOf(512, 1))).toBe('507 Insufficient capacity: Not enough storage')
  expect(await write('full', 0, bytesOf(512, 1))).toBe('204')
})

test.each([0, 1, 2, 3, 4, 5, 255, 256, 257, 1000])('base64 of %i bytes is decoded correctly', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 37) % 256)
  expect(decodeBase64(base64(bytes))).toEqual(bytes)
})
