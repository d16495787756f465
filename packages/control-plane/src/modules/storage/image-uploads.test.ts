import { imageUploadMaxPiece } from '@gantry/api/storage/image-upload.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHex } from '../../context/ids.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withoutBin } from '../../testing/environment.ts'
import { testServices } from '../../testing/services.ts'
import { failingBlocks, storageSteps } from './storage.fixtures.ts'
import { uploadUpkeep } from './upload-background.ts'
import { receivedOf } from './upload-ranges.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
const hourMs = 3600 * 1000
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

const { at, said, makeDisk, snapshot, contentOf, settled, storage } = storageSteps(() => ({ bed, me }))
const uploads = '/ext/v1/image-uploads'
const begin = (name: string, more: object = {}, who = me, project = 'playground') =>
  who.post(`${uploads}?project=${project}`, {
    name,
    description: 'd',
    os: 'Linux',
    version: '1',
    block_size: 512,
    size: 3 * MiB,
    ...more,
  })
const begun = async (name: string, more: object = {}): Promise<string> => {
  const answer = await begin(name, more)
  expect(said(answer)).toBe('201')
  return answer.body.id
}
const look = async (id: string) => (await me.get(`${uploads}/${id}`)).body
const complete = (id: string, who = me) => who.post(`${uploads}/${id}/complete`)
const cancel = (id: string, who = me) => who.call('DELETE', `${uploads}/${id}`).then(said)
const zeros = (id: string, ...ranges: [offset: number, length: number][]) =>
  me
    .post(`${uploads}/${id}/zeros`, { ranges: ranges.map(([offset, length]) => ({ offset, length })) })
    .then(said)
const received = async (id: string): Promise<[number, number][]> =>
  (await look(id)).received.map((range: { offset: number; length: number }) => [range.offset, range.length])
/** Bytes that depend on their position. */
const bytesAt = (offset: number, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => (offset + index) % 251)
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
/** Digests the first bytes of a content: comparing millions one by one is slow. */
const hashOf = async (content: string, length: number) => sha256(await blocks.read(content, 0, length))
const digestHeader = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  `sha-256=:${btoa(String.fromCharCode(...(await sha256(bytes))))}:`

async function put(
  id: string,
  offset: number,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  who = me,
): Promise<string> {
  const request = new Request(`http://localhost${uploads}/${id}/content?offset=${offset}`, {
    method: 'PUT',
    headers: {
      cookie: who.cookie,
      'content-type': 'application/octet-stream',
      'content-digest': await digestHeader(bytes),
      ...headers,
    },
    body: bytes,
  })
  const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
  return response.ok ? String(response.status) : `${response.status} ${(await response.json()).message}`
}
const send = (id: string, offset: number, length: number) => put(id, offset, bytesAt(offset, length))
const isDone = (id: string) =>
  eventually(
    () => look(id),
    ({ state }) => state === 'done',
  )
async function contentOfUpload(id: string): Promise<string> {
  const row = await bed.db
    .selectFrom('image_upload')
    .select('content_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.content_id
}
const rangesLeft = (id: string) =>
  bed.db.selectFrom('image_upload_range').selectAll().where('upload_id', '=', id).execute()

test('an image is uploaded in pieces, and its bytes travel through disks and snapshots unchanged', async () => {
  const before = await storage()
  const id = await begun('whole')
  expect(await look(id)).toMatchObject({ state: 'open', received: [], bytes_received: 0, image_id: null })
  expect(await storage()).toBe(before + GiB)
  const answers = await Promise.all([send(id, 2 * MiB, MiB / 2), send(id, 0, MiB), send(id, MiB, MiB)])
  expect(answers).toEqual(['204', '204', '204'])
  expect([await received(id), (await look(id)).bytes_received]).toEqual([[[0, 2.5 * MiB]], 2.5 * MiB])
  expect(said(await complete(id))).toBe(
    `400 524288 bytes have not been received, the first of them at offset ${2.5 * MiB} (524288 bytes)`,
  )
  expect(await zeros(id, [2.5 * MiB, MiB / 2])).toBe('204')
  const asked = await complete(id)
  expect([asked.status, asked.body.state]).toEqual([202, 'completing'])
  const done = await isDone(id)
  expect(done).toMatchObject({ received: [{ offset: 0, length: 3 * MiB }], bytes_received: 3 * MiB })
  expect(await storage()).toBe(before)
  expect(await rangesLeft(id)).toEqual([])

  const whole = new Uint8Array(3 * MiB)
  whole.set(bytesAt(0, 2.5 * MiB))
  const image = (await me.get(at('images/whole'))).body
  expect(image).toMatchObject({
    id: done.image_id,
    size: 3 * MiB,
    block_size: 512,
    os: 'Linux',
    version: '1',
    description: 'd',
    digest: { type: 'sha256', value: toHex(await sha256(whole)) },
  })
  const same = async (content: string) => expect(await hashOf(content, 3 * MiB)).toEqual(await sha256(whole))
  await makeDisk('whole', { disk_source: { type: 'image', image_id: image.id } })
  const snap = (await snapshot('whole', 'whole')).body
  await me.post(at('images'), {
    name: 'again',
    description: '',
    os: '',
    version: '',
    source: { type: 'snapshot', id: snap.id },
  })
  const again = (await me.get(at('images/again'))).body
  await makeDisk('again', { disk_source: { type: 'image', image_id: again.id } })
  await snapshot('again', 'again')
  for (const path of ['images/whole', 'snapshots/whole', 'disks/whole', 'images/again'])
    expect(said(await me.call('DELETE', at(path)))).toBe('204')
  await settled()
  await same(await contentOf('disk', 'again'))
  await same(await contentOf('snapshot', 'again'))
  // Only the two remaining contents are kept.
  expect(await blocks.size(await contentOfUpload(id))).toBeUndefined()
})

test('pieces are idempotent, may come in any order, and may overlap', async () => {
  const id = await begun('pieces')
  for (const [offset, length] of [
    [MiB, MiB],
    [MiB, MiB],
    [MiB - 512, 1024],
    [0, 512],
    [512, MiB],
  ] as const)
    expect(await send(id, offset, length)).toBe('204')
  expect(await received(id)).toEqual([[0, 2 * MiB]])
  expect(await hashOf(await contentOfUpload(id), 2 * MiB)).toEqual(await sha256(bytesAt(0, 2 * MiB)))
  expect(await cancel(id)).toBe('204')
})

test('a sequential upload needs few rows, however many pieces', async () => {
  const id = await begun('rows')
  for (let piece = 0; piece < 8; piece++) await send(id, piece * 4096, 4096)
  expect(await rangesLeft(id)).toHaveLength(1)
  expect(await received(id)).toEqual([[0, 8 * 4096]])
  await cancel(id)
})

test('zeros overwrite, and one request takes many ranges', async () => {
  const id = await begun('zeros', { size: 64 * MiB })
  await send(id, 0, MiB)
  expect(await zeros(id, [512, 512], [4096, 512], [512, 1024], [32 * MiB, 32 * MiB])).toBe('204')
  expect(await zeros(id)).toBe('204')
  const content = await contentOfUpload(id)
  expect(await blocks.read(content, 510, 4)).toEqual(new Uint8Array([510 % 251, 511 % 251, 0, 0]))
  expect(await blocks.read(content, 4096 + 512, 1)).toEqual(bytesAt(4096 + 512, 1))
  expect(await received(id)).toEqual([
    [0, MiB],
    [32 * MiB, 32 * MiB],
  ])
  await cancel(id)
})

describe('what is refused has no effect', () => {
  test('of pieces', async () => {
    const id = await begun('picky', { block_size: 2048 })
    const bytes = bytesAt(0, 2048)
    const other = await digestHeader(bytesAt(1, 2048))
    const rows: [Promise<string>, string][] = [
      [put(id, 0, bytes, { 'content-digest': other }), '400 the bytes do not match their content digest'],
      [
        put(id, 0, bytes, { 'content-digest': 'md5=:abc:' }),
        '400 the header content-digest with a sha-256 is missing: content-digest: sha-256=:base64:',
      ],
      [
        put(id, 0, bytes, { 'content-type': 'application/json' }),
        '400 expected content type "application/octet-stream", got "application/json"',
      ],
      [put(id, 512, bytes), '400 offset 512 is not a multiple of block size 2048'],
      [put(id, 0, bytesAt(0, 100)), '400 length 100 is not a multiple of block size 2048'],
      [put(id, 0, new Uint8Array()), '400 the range is empty'],
      [put(id, 3 * MiB, bytes), `400 the range ends beyond the size ${3 * MiB}`],
      [put(id, 0, bytes, {}, viewer), '403 Forbidden'],
      [put(crypto.randomUUID(), 0, bytes).then((text) => text.slice(0, 27)), '404 not found: image-upload'],
    ]
    for (const [answer, expected] of rows) expect(await answer).toBe(expected)
    const large = new Uint8Array(imageUploadMaxPiece + 2048)
    expect(await put(id, 0, large)).toBe(
      `400 request body exceeded maximum size of ${imageUploadMaxPiece} bytes`,
    )
    expect(await received(id)).toEqual([])
    const several = await digestHeader(bytes)
    expect(await put(id, 0, bytes, { 'content-digest': `sha-512=:abc:, ${several}` })).toBe('204')
    await cancel(id)
  })

  test('of a truncated body', async () => {
    const id = await begun('early')
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'))
      },
    })
    const init = { method: 'PUT', headers: { cookie: me.cookie, 'content-digest': 'sha-256=:abc:' }, body }
    const request = new Request(`http://localhost${uploads}/${id}/content?offset=0`, {
      ...init,
      duplex: 'half',
    } as RequestInit)
    const response = await bed.plane.fetch(request, { address: '' })
    expect([response.status, (await response.json()).message]).toEqual([400, 'the request body ended early'])
    await cancel(id)
  })

  test('of zeros', async () => {
    const id = await begun('zeros-no')
    expect(await zeros(id, [0, 512], [1, 512])).toBe('400 offset 1 is not a multiple of block size 512')
    expect(await zeros(id, [0, 4 * MiB])).toBe(`400 the range ends beyond the size ${3 * MiB}`)
    expect(await received(id)).toEqual([])
    await cancel(id)
  })

  test('of new uploads', async () => {
    const size = 'unsupported value for "size": total size must be'
    expect(said(await begin('no', { size: 0 }))).toBe(`400 ${size} at least one block`)
    expect(said(await begin('no', { size: 1024 * GiB }))).toBe(`400 ${size} at most 1023 GiB`)
    expect(said(await begin('no', { size: 513 }))).toBe(
      '400 unsupported value for "size and block_size": total size must be a multiple of block size 512',
    )
    expect(said(await begin('no', { block_size: 7 }))).toContain(
      '400 unable to parse JSON body: block_size: invalid',
    )
    expect(said(await begin('no', {}, viewer))).toBe('403 Forbidden')
    const nobody = await bed.addUser('nobody-uploads')
    expect(said(await begin('no', {}, nobody))).toBe('404 not found: project with name "playground"')
    const id = await begun('taken')
    expect(said(await begin('taken'))).toBe('400 already exists: image-upload "taken"')
    expect(said(await complete(id, viewer))).toBe('403 Forbidden')
    expect(await cancel(id, viewer)).toBe('403 Forbidden')
    expect(said(await nobody.get(`${uploads}/${id}`))).toBe(`404 not found: image-upload with id "${id}"`)
    expect(await cancel(id)).toBe('204')
    expect(await cancel(await begun('taken'))).toBe('204')
  })

  test('of uploads over the quota', async () => {
    const silo = await bed.db
      .selectFrom('silo')
      .select('id')
      .where('name', '=', 'demo')
      .executeTakeFirstOrThrow()
    const quota = (storage: number) =>
      bed.db.updateTable('silo_quotas').set({ storage }).where('silo_id', '=', silo.id).execute()
    await quota((await storage()) + GiB)
    expect(said(await begin('too-large', { size: GiB + 512 }))).toMatch(
      /^507 Insufficient capacity: Storage Limit/,
    )
    const id = await begun('just-right', { size: GiB })
    expect(said(await begin('one-more'))).toMatch(/^507 Insufficient capacity: Storage Limit/)
    expect(await cancel(id)).toBe('204')
    expect(await cancel(await begun('one-more'))).toBe('204')
    await quota(20 * 1024 * GiB)
  })
})

test('a cancelled upload leaves nothing behind, and its name is free at once', async () => {
  const before = await storage()
  const id = await begun('cancelled')
  await send(id, 0, MiB)
  const content = await contentOfUpload(id)
  expect(await cancel(id)).toBe('204')
  expect(said(await me.get(`${uploads}/${id}`))).toBe(`404 not found: image-upload with id "${id}"`)
  expect(await send(id, MiB, MiB)).toBe(`404 not found: image-upload with id "${id}"`)
  expect([await storage(), await rangesLeft(id)]).toEqual([before, []])
  await settled()
  expect(await blocks.size(content)).toBeUndefined()
  expect(await cancel(await begun('cancelled'))).toBe('204')
})

test('a piece written during cancellation is not reported as received', async () => {
  const id = await begun('overtaken')
  let release = (): void => {}
  const reached = new Promise<void>((reach) => {
    failing.beforeWrite = () => {
      reach()
      return new Promise((resolve) => (release = resolve))
    }
  })
  const sending = send(id, 0, MiB)
  await reached
  failing.beforeWrite = async () => {}
  expect(await cancel(id)).toBe('204')
  release()
  expect(await sending).toMatch(/^(400 the upload takes no more bytes|503 )/)
  expect(await rangesLeft(id)).toEqual([])
})

test('repeated and concurrent completion creates one image', async () => {
  const id = await begun('once')
  await zeros(id, [0, 3 * MiB])
  const answers = await Promise.all([complete(id), complete(id), complete(id)])
  expect(answers.map(said)).toEqual(['202', '202', '202'])
  const { image_id } = await isDone(id)
  expect((await complete(id)).body).toMatchObject({ state: 'done', image_id })
  expect(await send(id, 0, 512)).toBe('400 the upload takes no more bytes: it is done')
  // A caller who read the upload just before completion sees all its bytes, although their ranges are
  // deleted.
  expect(await rangesLeft(id)).toEqual([])
  expect((await receivedOf(bed.db, [id]))(id).ranges).toEqual([{ offset: 0, length: 3 * MiB }])
  const images = await bed.db.selectFrom('image').select('id').where('name', '=', 'once').execute()
  expect(images).toEqual([{ id: image_id }])
  // Deleting the upload does not delete its image.
  const content = await contentOf('image', image_id)
  expect(await cancel(id)).toBe('204')
  await settled()
  expect(await blocks.size(content)).toBe(3 * MiB)
})

test('a taken name loses no bytes: free it and complete again', async () => {
  expect(said(await begin('kept'))).toBe('201')
  const id = (await me.get(`${uploads}?project=playground`)).body.items.find(
    ({ name, state }: { name: string; state: string }) => name === 'kept' && state === 'open',
  ).id
  await send(id, 0, MiB)
  await zeros(id, [MiB, 2 * MiB])
  const alpine = { type: 'you_can_boot_anything_as_long_as_its_alpine' }
  const image = { name: 'kept', description: '', os: '', version: '', source: alpine }
  expect(said(await me.post(at('images'), image))).toBe('201')
  expect((await complete(id)).body.state).toBe('completing')
  const back = await eventually(
    () => look(id),
    ({ state }) => state === 'open',
  )
  expect(back.failure).toMatchObject({
    code: 'ObjectAlreadyExists',
    message: 'already exists: project-image "kept"',
    next_step: 'Choose another name.',
  })
  expect(said(await begin('kept'))).toBe('400 already exists: project-image "kept"')
  expect(said(await me.call('DELETE', at('images/kept')))).toBe('204')
  expect((await complete(id)).body).toMatchObject({ state: 'completing', failure: null })
  await isDone(id)
})

test('a crash during completion loses nothing: another process resumes it', async () => {
  const id = await begun('killed')
  await zeros(id, [0, 3 * MiB])
  // The state after a crash: the job was claimed, and its lease expires.
  failing.digest = 1
  await complete(id)
  await settled()
  const { image_id } = await isDone(id)
  await bed.db
    .updateTable('job')
    .set({ state: 'pending', lease_until: new Date(0), time_done: null, run_at: new Date(0) })
    .where('kind', '=', 'image-upload-completion')
    .execute()
  await settled()
  expect((await look(id)).image_id).toBe(image_id)
  expect(await bed.db.selectFrom('image').select('id').where('name', '=', 'killed').execute()).toHaveLength(1)
})

test('a permanently failing store reopens the upload, with the reason', async () => {
  const id = await begun('unlucky')
  await zeros(id, [0, 3 * MiB])
  failing.digest = 8
  await complete(id)
  await settled()
  expect(await look(id)).toMatchObject({
    state: 'open',
    failure: { message: 'The image could not be created.' },
  })
  expect((await look(id)).bytes_received).toBe(3 * MiB)
  await complete(id)
  await isDone(id)
})

test('bytes sent before their storage exists are refused with a retry hint', async () => {
  failing.create = 1
  const id = await begun('slow-start')
  expect(await send(id, 0, 512)).toBe('503 Service Unavailable')
  await settled()
  expect(await send(id, 0, 512)).toBe('204')
  failing.full = 1
  expect(await send(id, 512, 512)).toBe('507 Insufficient capacity: Not enough storage')
  expect(await received(id)).toEqual([[0, 512]])
  await cancel(id)
})

test('an upload whose storage could not be created gets it once it can be, however often that failed', async () => {
  failing.create = Infinity
  const id = await begun('patient')
  const jobs = () =>
    bed.db
      .selectFrom('job')
      .select(['state', 'attempts', 'lease_until'])
      .where('kind', '=', 'image-upload-content')
      .where((eb) => eb(eb.ref('args', '->>').key('upload_id'), '=', id))
      .orderBy('time_created')
      .execute()
  await eventually(jobs, ([job]) => (job?.attempts ?? 0) > 0)
  await bed.db
    .updateTable('job')
    .set({ attempts: 29 })
    .where('kind', '=', 'image-upload-content')
    .where('state', '=', 'pending')
    .execute()
  // Once it has given up, another one is queued, so that jobs never settle.
  await eventually(
    async () => {
      const [job] = await jobs()
      if (job?.lease_until === null) bed.pass(61_000)
      return job?.state
    },
    (state) => state === 'failed',
  )
  expect(await send(id, 0, 512)).toBe('503 Service Unavailable')
  failing.create = 0
  await settled()
  expect(await send(id, 0, 512)).toBe('204')
  await cancel(id)
})

test('an idle upload expires, and is deleted a day later', async () => {
  const before = await storage()
  const id = await begun('abandoned')
  bed.pass(20 * hourMs)
  me = await bed.signIn('member')
  await send(id, 0, MiB)
  const { time_expires } = await look(id)
  bed.pass(23 * hourMs)
  me = await bed.signIn('member')
  // A piece within the last day keeps it; beginning another upload triggers the expiry check.
  expect(await cancel(await begun('other-1'))).toBe('204')
  expect((await look(id)).state).toBe('open')
  const content = await contentOfUpload(id)
  bed.pass(2 * hourMs)
  me = await bed.signIn('member')
  expect(await cancel(await begun('other-2'))).toBe('204')
  const expired = await eventually(
    () => look(id),
    ({ state }) => state === 'expired',
  )
  expect(new Date(time_expires).getTime()).toBeLessThan(new Date(expired.time_modified).getTime())
  expect(expired).toMatchObject({ received: [], bytes_received: 0 })
  expect(said(await complete(id))).toBe('400 an upload in state expired cannot be completed')
  expect(await send(id, 0, 512)).toBe('400 the upload takes no more bytes: it is expired')
  expect(await cancel(await begun('abandoned'))).toBe('204')
  await settled()
  expect([await storage(), await blocks.size(content), await rangesLeft(id)]).toEqual([before, undefined, []])
  bed.pass(25 * hourMs)
  me = await bed.signIn('member')
  expect(await cancel(await begun('other-3'))).toBe('204')
  await eventually(
    async () => said(await me.get(`${uploads}/${id}`)),
    (answer) => answer.startsWith('404'),
  )
  viewer = await bed.signIn('viewer')
})

test('idle uploads that cannot be ended wait for the next run, and do not block others', async () => {
  const other = await testControlPlane({ idle: true })
  const { id } = (await begin('idle', {}, await other.signIn('member'))).body
  const uploadOf = (upload: string) =>
    other.db.selectFrom('image_upload').selectAll().where('id', '=', upload).executeTakeFirstOrThrow()
  const idle = await uploadOf(id)
  // Their project is missing, which fails each; by id, they come first.
  const broken = Array.from({ length: 64 }, (_, n) => ({
    ...idle,
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    project_id: crypto.randomUUID(),
    failure: null,
    image_tags: null,
  }))
  await other.db.deleteFrom('image_upload').where('id', '=', id).execute()
  await other.db
    .insertInto('image_upload')
    .values([...broken, { ...idle, failure: null, image_tags: null }])
    .execute()
  const failures: unknown[] = []
  const log = { info() {}, warn() {}, error: (fields: unknown) => failures.push(fields) }
  const clock = () => new Date(Date.now() + 25 * hourMs)
  const next = await uploadUpkeep.run(testServices({ db: other.db, clock, log }))
  expect([next, failures.length, (await uploadOf(id)).state]).toEqual([undefined, 64, 'expired'])
  await other.stop()
})

test('an open upload blocks the deletion of its project, a finished one does not', async () => {
  await me.post('/v1/projects', { name: 'brief', description: '' })
  const id = (await begin('held', {}, me, 'brief')).body.id
  expect(said(await me.call('DELETE', '/v1/projects/brief'))).toBe(
    '400 project to be deleted contains an image upload: held',
  )
  await zeros(id, [0, 3 * MiB])
  await complete(id)
  await isDone(id)
  expect(said(await me.call('DELETE', at('images/held', 'brief')))).toBe('204')
  await me.call('DELETE', '/v1/vpc-subnets/default?project=brief&vpc=default')
  await me.call('DELETE', '/v1/vpcs/default?project=brief')
  expect(said(await me.call('DELETE', '/v1/projects/brief'))).toBe('204')
})

test('users who may see it are notified of it, and of its image', async () => {
  const stream = await bed.follow(viewer)
  const id = await begun('heard')
  await zeros(id, [0, 3 * MiB])
  await complete(id)
  await isDone(id)
  const received = await eventually(
    async () => stream.received().filter((line) => line.endsWith(' heard')),
    (lines) => lines.length >= 4,
  )
  stream.close()
  expect(received).toEqual([
    'create image-upload heard',
    'update image-upload heard',
    'create image heard',
    'update image-upload heard',
  ])
})
