import { qcow2File } from '@gantry/api/storage/image-file.fixtures'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DownloadFailed } from '@gantry/control-plane/blocks/downloads'
import { toHex } from '@gantry/control-plane/context/ids'
import {
  type Caller,
  eventually,
  said,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { testEnvironment } from '@gantry/control-plane/testing/environment'
import { fakeConverter } from '../conversion.fixtures.ts'
import { failingBlocks, storageSteps } from '../storage.fixtures.ts'
import { broken, fakeDownloads, untilAborted } from './downloads.fixtures.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
const { blocks, failing } = failingBlocks()
const { converter, fake: conversions } = fakeConverter(blocks)
const { downloads, fake } = fakeDownloads()

let bed: TestBed
let me: Caller
beforeAll(async () => {
  const { settings } = testEnvironment()
  const image_import = { ...settings.image_import, max_gibibytes: 2, hours: 2 }
  const environment = {
    blocks,
    downloads,
    imageConverter: converter,
    settings: { ...settings, image_import },
  }
  bed = await testControlPlane({ environment })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

/** A raw image of 10 MiB, half of it zeros, which no piece of the transfer divides. */
const raw = new Uint8Array(10 * MiB + 1024)
for (let at = 0; at < raw.length; at += 512) if (at < MiB || at > 6 * MiB) raw[at] = at % 251
const hexOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))

beforeEach(() => {
  fake.reset(raw)
  conversions.reset()
})

const { at, contentOf, settled, storage } = storageSteps(() => ({ bed, me }))
const imports = '/ext/v1/image-imports?project=playground'
const url = 'https://images.test/disks/linux.raw?token=secret'
const begin = (name: string, more: object = {}, who = me) =>
  who.post(imports, { name, description: 'd', os: 'Linux', version: '1', block_size: 512, url, ...more })
const look = async (id: string) => (await me.get(`/ext/v1/image-uploads/${id}`)).body
const inState = (id: string, wanted: string) =>
  eventually(
    () => look(id),
    ({ state }) => {
      bed.pass(1000)
      return state === wanted
    },
  )
const failed = (id: string) =>
  eventually(
    () => look(id),
    ({ failure }) => {
      bed.pass(2000)
      return failure !== null
    },
  )
const again = (id: string, who = me) => who.post(`/ext/v1/image-uploads/${id}/complete`)
const cancel = (id: string, who = me) => who.call('DELETE', `/ext/v1/image-uploads/${id}`)
const taskOf = async (name: string) =>
  (await me.get('/ext/v1/tasks?project=playground&kind=image-upload&limit=100')).body.items.find(
    (task: { object: { name: string } }) => task.object.name === name,
  )
const contentIdOf = async (id: string) =>
  (
    await bed.db
      .selectFrom('image_upload')
      .select('content_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).content_id

async function begun(name: string, more: object = {}): Promise<string> {
  const answer = await begin(name, more)
  expect(said(answer)).toBe('201')
  return answer.body.id
}

test('an image is created from a file at a URL, with its checksum and without the query of the URL', async () => {
  const before = await storage()
  const answer = await begin('fetched', { sha256: (await hexOf(raw)).toUpperCase() })
  expect(answer.body).toMatchObject({
    state: 'fetching',
    size: 0,
    source_url: 'https://images.test/disks/linux.raw',
    sha256: null,
  })
  const done = await inState(answer.body.id, 'done')
  const digest = await hexOf(raw)
  expect(done).toMatchObject({ sha256: digest, size: raw.length, bytes_received: raw.length, failure: null })
  const image = (await me.get(at('images/fetched'))).body
  expect(image).toMatchObject({
    id: done.image_id,
    size: raw.length,
    os: 'Linux',
    digest: { type: 'sha256', value: digest },
    source: { url: 'https://images.test/disks/linux.raw', sha256: digest },
  })
  expect(await blocks.digest(await contentOf('image', 'fetched'))).toBe(await hexOf(raw))
  expect(await taskOf('fetched')).toMatchObject({
    verb: 'import',
    state: 'finished',
    object: { id: image.id },
  })
  await settled()
  expect(await storage()).toBe(before)
  expect(fake.asked).toEqual([{ url, from: undefined }])
  // Nothing that others may read holds the query.
  const changes = await bed.db.selectFrom('change').select(['before', 'after']).execute()
  expect(JSON.stringify(changes)).not.toContain('secret')
  expect(await bed.db.selectFrom('image_import').selectAll().execute()).toEqual([])
})

test('a compressed or converted file becomes a raw image, and its own checksum is kept', async () => {
  fake.reset(qcow2File({ size: 10 * GiB }))
  const id = await begun('packed')
  await inState(id, 'done')
  const image = (await me.get(at('images/packed'))).body
  expect(image).toMatchObject({ size: 4 * MiB, source: { sha256: await hexOf(fake.bytes) } })
  expect(image.digest.value).not.toBe(image.source.sha256)
  expect(conversions.conversions).toMatchObject([{ format: 'qcow2' }])
})

test('progress is what is stored, and a cancelled fetch leaves nothing', async () => {
  const before = await storage()
  fake.beforePiece = async (offset, signal) => {
    if (offset >= 9 * MiB) await untilAborted(signal)
  }
  const id = await begun('cancelled')
  await eventually(
    () => look(id),
    ({ bytes_received }) => bytes_received === 8 * MiB,
  )
  expect(await storage()).toBe(before + GiB)
  expect(await taskOf('cancelled')).toMatchObject({
    state: 'running',
    progress: { unit: 'bytes', done: 8 * MiB, total: raw.length },
    actions: [{ action: 'cancel' }],
  })
  const content = await contentIdOf(id)
  expect(said(await cancel(id))).toBe('204')
  await eventually(
    async () => fake.open,
    (open) => open === 0,
  )
  await settled()
  expect([await storage(), await blocks.size(content)]).toEqual([before, undefined])
  expect(await taskOf('cancelled')).toMatchObject({ state: 'cancelled' })
  expect(await bed.db.selectFrom('image_import').selectAll().execute()).toEqual([])
})

test('a broken connection is resumed where it ended', async () => {
  let breaks = 2
  fake.beforePiece = async (offset) => {
    if (offset < 5 * MiB || breaks === 0) return
    breaks -= 1
    throw broken()
  }
  const id = await begun('resumed')
  await inState(id, 'done')
  expect(fake.asked.map(({ from }) => from)).toEqual([
    undefined,
    { offset: 4 * MiB, validator: '"1"' },
    { offset: 4 * MiB, validator: '"1"' },
  ])
  expect(await blocks.digest(await contentOf('image', 'resumed'))).toBe(await hexOf(raw))
})

test('a file that changed meanwhile is fetched from its beginning, and nothing of the first is kept', async () => {
  const other = raw.slice(0, 5 * MiB).map((byte) => byte ^ 1)
  fake.beforePiece = async (offset) => {
    if (offset < 8 * MiB) return
    Object.assign(fake, { bytes: other, validator: '"2"', beforePiece: async () => {} })
    throw broken()
  }
  const id = await begun('replaced')
  const first = await contentIdOf(id)
  await inState(id, 'done')
  expect(await blocks.digest(await contentOf('image', 'replaced'))).toBe(await hexOf(other))
  await settled()
  expect(await blocks.size(first)).toBeUndefined()
})

test('a server that cannot resume is asked for all of it again', async () => {
  fake.validator = undefined
  let breaks = 1
  fake.beforePiece = async (offset) => {
    if (offset < 5 * MiB || breaks-- <= 0) return
    throw broken()
  }
  const id = await begun('anew')
  await inState(id, 'done')
  expect(fake.asked.map(({ from }) => from)).toEqual([undefined, undefined])
  expect(await blocks.digest(await contentOf('image', 'anew'))).toBe(await hexOf(raw))
})

describe('a failure says what to do', () => {
  const lasting = () =>
    new DownloadFailed('The server has no such file (status 404).', 'Check the address.', 'lasting')
  const html = new TextEncoder().encode(`<!DOCTYPE html>${'x'.repeat(1009)}`)
  const zip = new Uint8Array(1024)
  zip.set([0x50, 0x4b, 3, 4])

  test.each<[name: string, prepare: () => void, message: string]>([
    ['missing', () => fake.failures.push(lasting()), 'The server has no such file (status 404).'],
    [
      'huge',
      () => void (fake.size = 3 * GiB),
      'The file has 3 GiB, and this server fetches files of at most 2 GiB.',
    ],
    ['endless', () => void (fake.saysSize = false), 'The server does not say how large the file is.'],
    ['empty', () => fake.reset(new Uint8Array(0)), 'The file is empty.'],
    ['page', () => fake.reset(html), 'The address leads to a web page, not to an image.'],
    [
      'text',
      () => void (fake.contentType = 'text/html'),
      'The address leads to a text (text/html), not to an image.',
    ],
    ['zip', () => fake.reset(zip), 'The file is a zip archive, which is not converted.'],
    [
      'partial',
      () => fake.reset(raw.slice(0, 1000)),
      'The file is a raw image that cannot be used: total size must be a multiple of block size 512.',
    ],
    [
      'unsupported',
      () => {
        fake.reset(qcow2File({ size: GiB }))
        conversions.lacks.set('qcow2', 'The server lacks a program')
      },
      'The file is a qcow2 image. The server lacks a program.',
    ],
    [
      'always-broken',
      () => void (fake.beforePiece = () => Promise.reject(broken())),
      'The connection broke.',
    ],
    ['full', () => void (failing.full = 1), 'Insufficient capacity: Not enough storage'],
  ])('%s', async (name, prepare, message) => {
    prepare()
    const id = await begun(name)
    const { state, failure } = await failed(id)
    expect([state, failure.message, failure.next_step.length > 0]).toEqual(['open', message, true])
    expect(await taskOf(name)).toMatchObject({
      state: 'needs_attention',
      failure: { message },
      actions: [
        { action: 'retry', target: id },
        { action: 'cancel', target: id },
      ],
    })
    const content = await contentIdOf(id)
    expect(said(await cancel(id))).toBe('204')
    await settled()
    expect(await blocks.size(content)).toBeUndefined()
  })

  test('a wrong checksum names both, and the next attempt fetches all of it again', async () => {
    const right = await hexOf(raw)
    fake.reset(raw.map((byte) => byte ^ 2))
    const id = await begun('wrong', { sha256: right })
    const { failure, sha256, bytes_received } = await failed(id)
    expect(failure.message).toBe(
      `The SHA-256 of the file is ${await hexOf(fake.bytes)}, and ${right} was given.`,
    )
    expect([sha256, bytes_received]).toEqual([null, 0])
    fake.reset(raw)
    expect(said(await again(id))).toBe('202')
    expect(await inState(id, 'done')).toMatchObject({ sha256: right })
    expect(fake.asked.map(({ from }) => from)).toEqual([undefined])
    expect(await blocks.digest(await contentOf('image', 'wrong'))).toBe(await hexOf(raw))
  })

  test('a fetch over the quota waits for a user, and succeeds once there is room', async () => {
    const { silo_id } = await bed.db.selectFrom('project').select('silo_id').executeTakeFirstOrThrow()
    const quotas = bed.db.selectFrom('silo_quotas').selectAll().where('silo_id', '=', silo_id)
    const { storage: usual } = await quotas.executeTakeFirstOrThrow()
    const set = (amount: number) =>
      bed.db.updateTable('silo_quotas').set({ storage: amount }).where('silo_id', '=', silo_id).execute()
    await set(0)
    const id = await begun('over')
    expect((await failed(id)).failure.message).toContain('Storage Limit Exceeded')
    await set(usual)
    await again(id)
    await inState(id, 'done')
  })

  test('the time for which one waits for its turn does not count', async () => {
    let held = 2
    fake.beforePiece = async (at, signal) => {
      if (held-- > 0) await untilAborted(signal)
      // Longer than a fetch takes to notice that its time is over.
      if (at === 0) await new Promise((resolve) => setTimeout(resolve, 1500))
    }
    const first = [await begun('before-1'), await begun('before-2')]
    await eventually(
      async () => fake.open,
      (open) => open === 2,
    )
    const id = await begun('waits')
    await bed.db
      .updateTable('image_import')
      .set({ time_begun: new Date(Date.now() - 3 * 3_600_000) })
      .where('upload_id', '=', id)
      .execute()
    for (const one of first) expect(said(await cancel(one))).toBe('204')
    // Without moving the clock, which would end the lease of the job and begin it anew.
    const over = await eventually(
      () => look(id),
      ({ state, failure }) => state === 'done' || failure !== null,
    )
    expect([over.state, over.failure]).toEqual(['done', null])
  })

  test('one that takes too long is given up', async () => {
    fake.beforePiece = (_, signal) => untilAborted(signal)
    const id = await begun('slow')
    await eventually(
      async () => fake.open,
      (open) => open === 1,
    )
    bed.pass(3 * 3_600_000)
    const { failure } = await eventually(
      () => look(id),
      (upload) => upload.failure !== null,
    )
    expect(failure.message).toBe('Fetching the file took longer than 2 hours.')
    expect(said(await cancel(id))).toBe('204')
  })
})

test.each([
  [{ url: 'ftp://images.test/a.raw' }, 'url: must be a web address that begins with https:// or http://'],
  [{ url: 'https://me:word@images.test/a.raw' }, 'url: must not hold a user name or a password'],
  [{ sha256: 'abc' }, 'sha256: a SHA-256 has 64 hexadecimal digits'],
])('%j is refused', async (more, message) => {
  const answer = await begin('bad', more)
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)])
})

test('a viewer fetches nothing, clients send no bytes, and a taken name is refused at once', async () => {
  const viewer = await bed.signIn('viewer')
  expect((await begin('forbidden', {}, viewer)).status).toBe(403)
  fake.beforePiece = (_, signal) => untilAborted(signal)
  const id = await begun('taken')
  expect(said(await begin('taken'))).toBe('400 already exists: image-upload "taken"')
  const zeros = await me.post(`/ext/v1/image-uploads/${id}/zeros`, { ranges: [{ offset: 0, length: 512 }] })
  expect(zeros.body.message).toBe('the upload takes no more bytes: it is fetching')
  expect([(await cancel(id, viewer)).status, (await again(id, viewer)).status]).toEqual([403, 403])
  expect(said(await cancel(id))).toBe('204')
})

test('of many at once, two of a project are fetched at a time, and all complete', async () => {
  await eventually(
    async () => fake.open,
    (open) => open === 0,
  )
  fake.peak = 0
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  fake.beforePiece = () => gate
  const ids = await Promise.all(Array.from({ length: 16 }, (_, number) => begun(`one-of-many-${number}`)))
  await eventually(
    async () => fake.open,
    (open) => open === 2,
  )
  release()
  for (const id of ids) await inState(id, 'done')
  expect(fake.peak).toBe(2)
}, 120_000)

test('the image of an upload, and of a fetched file, has the tags of its request', async () => {
  const headers = { 'gantry-tags': 'env=prod' }
  const body = { name: 'tagged', description: '', os: '', version: '', block_size: 512, url }
  const answer = await me.call('POST', imports, body, headers)
  const { image_id } = await inState(answer.body.id, 'done')
  const { tags } = (await me.get(`/ext/v1/tags/${image_id}?kind=image`)).body
  expect(tags).toEqual([{ key: 'env', value: 'prod' }])
})

test('a process that stops ends its fetches', async () => {
  const held = failingBlocks()
  const first = await testControlPlane({ environment: { blocks: held.blocks, downloads } })
  const owner = await first.signIn('member')
  fake.beforePiece = async (offset, signal) => {
    if (offset >= 9 * MiB) await untilAborted(signal)
  }
  const body = { name: 'left', description: '', os: '', version: '', block_size: 512, url }
  const { id } = (await owner.post(imports, body)).body
  await eventually(
    () => owner.get(`/ext/v1/image-uploads/${id}`),
    (answer) => answer.body.bytes_received === 8 * MiB,
  )
  await first.stop()
  expect(fake.open).toBe(0)
})
