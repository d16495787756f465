import { qcow2File, type Qcow2Options, vhdxFile, vmdkFile } from '@gantry/api/storage/image-file.fixtures'
import { packedFormats } from '@gantry/api/storage/image-format.rules'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { BlockStore } from '../../blocks/block-store.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import { type ImageConverter, UnusableImageFile } from '../../blocks/image-converter.ts'
import { systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { testEnvironment } from '../../testing/environment.ts'
import { testServices } from '../../testing/services.ts'
import { contentRemoval } from './content-removal.ts'
import { aborted, convertedBytes, fakeConverter } from './conversion.fixtures.ts'
import { storageSteps } from './storage.fixtures.ts'
import { uploadConversion } from './upload-conversion.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
const blocks = memoryBlocks()
const { converter, fake } = fakeConverter(blocks)

let bed: TestBed
let me: Caller
beforeAll(async () => {
  const { settings } = testEnvironment()
  bed = await testControlPlane({
    environment: {
      blocks,
      imageConverter: converter,
      settings: { ...settings, image_conversion: { ...settings.image_conversion, max_gibibytes: 100 } },
    },
  })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())
afterEach(() => fake.reset())

const { at, said, contentOf, settled, storage } = storageSteps(() => ({ bed, me }))
const uploads = '/ext/v1/image-uploads'
const look = async (id: string) => (await me.get(`${uploads}/${id}`)).body
const complete = (id: string, who = me) => who.post(`${uploads}/${id}/complete`)
const cancel = (id: string, who = me) => who.call('DELETE', `${uploads}/${id}`).then(said)
const inState = (id: string, wanted: string) =>
  eventually(
    () => look(id),
    ({ state }) => state === wanted,
  )
const rowOf = (id: string) =>
  bed.db.selectFrom('image_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function put(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const response = await bed.plane.fetch(
    new Request(`http://localhost${uploads}/${id}/content?offset=0`, {
      method: 'PUT',
      headers: {
        cookie: me.cookie,
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:`,
      },
      body: bytes,
    }),
    { address: '127.0.0.1' },
  )
  if (!response.ok) throw new Error(await response.text())
}

const create = (name: string, size: number, more: object = {}) =>
  me.post(`${uploads}?project=playground`, {
    name,
    description: 'd',
    os: 'Linux',
    version: '1',
    block_size: 512,
    size,
    ...more,
  })

/** An open upload with all bytes of a file. */
async function uploaded(name: string, bytes: Uint8Array<ArrayBuffer>, more: object = {}): Promise<string> {
  const begun = await create(name, bytes.length, more)
  expect(said(begun)).toBe('201')
  await put(begun.body.id, bytes)
  return begun.body.id
}

const sized = (length: number, ...head: number[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  bytes.set(head)
  return bytes
}
const gzip = (length = 1024) => sized(length, 0x1f, 0x8b, 8)

test('a qcow2 image becomes a raw image with the size of its disk', async () => {
  const before = await storage()
  const id = await uploaded('good', qcow2File({ size: 10 * GiB }))
  const { content_id } = await rowOf(id)
  let proceed = (): void => {}
  fake.before = async ({ progress }) => {
    progress(42.9)
    await new Promise<void>((resolve) => (proceed = resolve))
  }
  const answer = await complete(id)
  expect([answer.status, answer.body]).toMatchObject([
    202,
    { state: 'converting', format: 'qcow2', image_size: 10 * GiB, percent_converted: null },
  ])
  expect(await storage()).toBe(before + GiB + 10 * GiB)
  await eventually(
    () => look(id),
    ({ percent_converted }) => percent_converted === 42,
  )
  proceed()
  const done = await inState(id, 'done')
  const image = (await me.get(at('images/good'))).body
  expect(done).toMatchObject({
    image_id: image.id,
    image_size: 4 * MiB,
    percent_converted: null,
    failure: null,
  })
  expect(image).toMatchObject({
    size: 4 * MiB,
    block_size: 512,
    os: 'Linux',
    version: '1',
    description: 'd',
  })
  expect(image.digest.value).toBe(await blocks.digest(await contentOf('image', 'good')))
  expect(await blocks.read(await contentOf('image', 'good'), 0, 9)).toEqual(convertedBytes)
  await settled()
  expect([await storage(), await blocks.size(content_id)]).toEqual([before, undefined])
  expect(fake.conversions).toMatchObject([{ format: 'qcow2', blockSize: 512, maxBytes: 100 * GiB }])
  const again = await complete(id)
  expect([again.status, again.body.state, fake.conversions.length]).toEqual([202, 'done', 1])
  // The image is independent of its upload.
  expect(await cancel(id)).toBe('204')
  await settled()
  expect(await blocks.size(await contentOf('image', 'good'))).toBe(4 * MiB)
})

test('a file of a declared format may end within a block', async () => {
  const id = await uploaded('odd', gzip(1001), { format: 'gzip' })
  expect(await look(id)).toMatchObject({ format: 'gzip', size: 1001, bytes_received: 1001 })
  await complete(id)
  expect(await inState(id, 'done')).toMatchObject({ image_size: 4 * MiB })
  expect(said(await create('odd-2', 1001))).toBe(
    '400 unsupported value for "size and block_size": total size must be a multiple of block size 512',
  )
  expect(said(await create('odd-2', 1001, { format: 'raw' }))).toContain(
    'must be a multiple of block size 512',
  )
  expect(said(await create('odd-2', 0, { format: 'xz' }))).toContain('must be at least one block')
  expect(said(await create('odd-2', 1024 * GiB, { format: 'xz' }))).toContain('must be at most 1023 GiB')
  expect(said(await create('odd-2', 512, { format: 'qed' }))).toContain(
    '400 unable to parse JSON body: format',
  )
})

test('a file declared raw keeps its bytes, of any format', async () => {
  const file = qcow2File({ size: GiB, backingFile: '/etc/shadow' })
  const id = await uploaded('as-it-is', file, { format: 'raw' })
  expect((await complete(id)).body).toMatchObject({ state: 'completing', format: 'raw' })
  await inState(id, 'done')
  expect((await me.get(at('images/as-it-is'))).body.size).toBe(file.length)
  expect(fake.conversions).toEqual([])
})

test('a raw file is recognised as one', async () => {
  const id = await uploaded('plain', sized(1024, 0xeb, 0x63, 0x90))
  expect((await complete(id)).body).toMatchObject({ state: 'completing', format: 'raw', image_size: null })
  expect(await inState(id, 'done')).toMatchObject({ format: 'raw', image_size: null })
})

describe('a file that cannot be converted is refused when the upload is completed, and nothing is charged', () => {
  const qcow2 = (options: Partial<Qcow2Options>) => qcow2File({ size: GiB, ...options })
  test.each([
    [
      qcow2({ backingFile: '/etc/shadow' }),
      'The file is a qcow2 image that needs another file: it has a backing file.',
      /whole\.qcow2/,
    ],
    [
      qcow2({ features: [2] }),
      'The file is a qcow2 image that needs another file: it keeps its data in another file.',
      /qemu-img convert/,
    ],
    [qcow2({ encryption: 2 }), 'The file is a qcow2 image that is encrypted.', /Decrypt/],
    [
      vmdkFile({ size: GiB, descriptor: ['createType="custom"'] }),
      'The file is a VMDK image that is of the type custom.',
      /qemu-img convert/,
    ],
    [
      vhdxFile({ size: GiB, hasParent: true }).slice(0, 4 * MiB),
      'The file is a VHDX image that needs another file: it has a parent.',
      /qemu-img convert/,
    ],
    [
      qcow2({ size: 200 * GiB }),
      'The file is a qcow2 image of a disk of 200 GiB, and this server converts images of at most 100 GiB.',
      /Shrink/,
    ],
    [
      sized(512, ...new TextEncoder().encode('conectix')),
      'The file is a VHD image that is damaged: it is of an unknown type.',
      /qemu-img check/,
    ],
    [
      sized(512, ...new TextEncoder().encode('QED\0')),
      'The file is a QED image, which is not converted.',
      /-f qed -O raw image\.qed image\.raw\. To keep its bytes/,
    ],
    [sized(512, 0x50, 0x4b, 3, 4), 'The file is a zip archive, which is not converted.', /unzip/],
  ] as [Uint8Array<ArrayBuffer>, string, RegExp][])('%#', async (file, message, help) => {
    const before = await storage()
    const id = await uploaded('refused', file)
    const answer = await complete(id)
    expect([answer.status, answer.body.message]).toEqual([400, message])
    expect(answer.body.help).toMatch(help)
    expect(await look(id)).toMatchObject({ state: 'open', failure: null })
    expect([await storage(), fake.conversions]).toEqual([before + GiB, []])
    expect(await cancel(id)).toBe('204')
  })

  test('because the server lacks the tools', async () => {
    fake.lacks.set('xz', 'The server lacks the program xz')
    const id = await uploaded('lacking', sized(512, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0))
    expect((await complete(id)).body).toMatchObject({
      message: 'The file is an xz file. The server lacks the program xz.',
      help: 'Convert it to a raw image first: unxz image.raw.xz. To keep its bytes as they are, upload it as a raw image.',
    })
    expect((await me.get('/ext/v1/image-formats')).body).toEqual({
      formats: packedFormats.map((format) => ({
        format,
        why_not: format === 'xz' ? 'The server lacks the program xz' : null,
      })),
      max_size: 100 * GiB,
      fetch: { why_not: null, max_size: 100 * GiB },
    })
    // Installed meanwhile.
    fake.lacks.clear()
    expect((await complete(id)).body.state).toBe('converting')
    await inState(id, 'done')
  })

  test('because it was declared as something else', async () => {
    const id = await uploaded('declared', gzip(512), { format: 'qcow2' })
    expect((await complete(id)).body).toMatchObject({
      message: 'The upload was declared as a qcow2 image, and the file is a gzip file.',
      help: 'Upload it again with its own format, or without a format.',
    })
    expect(await cancel(id)).toBe('204')
  })

  test('because bytes are missing, which is the first reason', async () => {
    const id = (await create('partly', 64 * 1024 * 4, { format: 'qcow2' })).body.id
    expect(said(await complete(id))).toContain('262144 bytes have not been received')
    expect(await cancel(id)).toBe('204')
  })
})

test('a server without a converter refuses with a message', async () => {
  const other = await testControlPlane({ idle: true })
  const someone = await other.signIn('member')
  const formats = (await someone.get('/ext/v1/image-formats')).body
  expect(formats.formats[0]).toEqual({ format: 'qcow2', why_not: 'This server does not convert images' })
  await other.stop()
})

describe('quota', () => {
  const quota = async (bytes: number) => {
    const silo = await bed.db
      .selectFrom('silo')
      .select('id')
      .where('name', '=', 'demo')
      .executeTakeFirstOrThrow()
    await bed.db.updateTable('silo_quotas').set({ storage: bytes }).where('silo_id', '=', silo.id).execute()
  }
  afterEach(() => quota(20 * 1024 * GiB))

  test('an image over the quota is refused before it is converted', async () => {
    const before = await storage()
    const id = await uploaded('over', qcow2File({ size: 10 * GiB }))
    await quota(before + 10 * GiB)
    expect(said(await complete(id))).toMatch(/^507 Insufficient capacity: Storage Limit/)
    expect([(await look(id)).state, await storage()]).toEqual(['open', before + GiB])
    await quota(before + 11 * GiB)
    expect(said(await complete(id))).toBe('202')
    await inState(id, 'done')
    expect(await storage()).toBe(before)
  })

  test('a compressed file is charged as it grows, and refused when it grows over the quota', async () => {
    const before = await storage()
    const id = await uploaded('growing', gzip())
    const seen: number[] = []
    fake.before = async ({ reserve }) => {
      for (const bytes of [1, GiB, GiB + 1, 2 * GiB, 5 * GiB]) {
        await reserve(bytes)
        seen.push((await storage()) - before)
      }
    }
    await quota(before + 4 * GiB)
    await complete(id)
    const back = await inState(id, 'open')
    expect(seen).toEqual([2 * GiB, 2 * GiB, 3 * GiB, 3 * GiB])
    expect(back.failure).toMatchObject({ code: 'InsufficientCapacity' })
    expect(back.failure.next_step).toContain('Storage quota exceeded: needs 3 GiB, 1 GiB left')
    expect(await storage()).toBe(before + GiB)
    await quota(before + 6 * GiB)
    expect((await complete(id)).body).toMatchObject({ state: 'converting', failure: null })
    await inState(id, 'done')
    expect(await storage()).toBe(before)
  })
})

describe('a conversion that fails reopens the upload with the reason, and keeps its bytes', () => {
  test.each([
    [
      new UnusableImageFile('The file is damaged.', 'Get it again.'),
      'InvalidRequest',
      'The file is damaged.',
      'Get it again.',
    ],
    [
      Object.assign(new Error('full'), { code: 'ENOSPC' }),
      'InsufficientCapacity',
      'Insufficient capacity: The volume of the database is full',
      undefined,
    ],
  ])('%s', async (error, code, message, next_step) => {
    const before = await storage()
    const id = await uploaded('failing', qcow2File({ size: 2 * GiB }))
    fake.before = () => Promise.reject(error)
    await complete(id)
    const back = await inState(id, 'open')
    expect(back.failure).toMatchObject({ code, message, ...(next_step && { next_step }) })
    expect(back).toMatchObject({ bytes_received: back.size, image_size: null, percent_converted: null })
    expect(await storage()).toBe(before + GiB)
    expect(fake.discarded).toEqual([fake.conversions[0]?.to])
    fake.reset()
    await complete(id)
    await inState(id, 'done')
    expect(said(await me.call('DELETE', at('images/failing')))).toBe('204')
    expect(await cancel(id)).toBe('204')
  })

  test('a name that another image took meanwhile', async () => {
    const id = await uploaded('wanted', gzip(512))
    const alpine = { type: 'you_can_boot_anything_as_long_as_its_alpine' }
    await me.post(at('images'), { name: 'wanted', description: '', os: '', version: '', source: alpine })
    await complete(id)
    expect((await inState(id, 'open')).failure).toMatchObject({
      message: 'already exists: project-image "wanted"',
    })
    const to = fake.conversions[0]?.to ?? ''
    await settled()
    expect(await blocks.size(to)).toBeUndefined()
    expect(await cancel(id)).toBe('204')
  })

  test('an error of the server is logged, and not shown', async () => {
    const id = await uploaded('broken', gzip(512))
    fake.before = () => Promise.reject(new Error('EIO: /secret/path'))
    await complete(id)
    expect((await inState(id, 'open')).failure).toMatchObject({
      code: 'Internal',
      message: 'The conversion failed on the server.',
      next_step: 'Complete the upload to try again. If it keeps failing, contact the operator.',
    })
    const errors = bed.logged.filter(({ level }) => level === 'error')
    expect(errors.map(({ message }) => message)).toEqual(['an image could not be converted'])
    // A test bed that logged an error fails.
    for (const error of errors) bed.logged.splice(bed.logged.indexOf(error), 1)
    expect(await cancel(id)).toBe('204')
  })
})

test('a conversion can be cancelled, and leaves nothing behind', async () => {
  const before = await storage()
  const id = await uploaded('cancelled', qcow2File({ size: 10 * GiB }))
  const { content_id } = await rowOf(id)
  let wasAborted = false
  fake.before = (conversion) =>
    aborted(conversion).catch((error: unknown) => {
      wasAborted = true
      throw error
    })
  await complete(id)
  await eventually(
    async () => fake.conversions.length,
    (count) => count === 1,
  )
  expect(await cancel(id)).toBe('204')
  expect(await storage()).toBe(before)
  await eventually(
    async () => wasAborted,
    (was) => was,
  )
  await settled()
  const to = fake.conversions[0]?.to ?? ''
  expect([await blocks.size(content_id), await blocks.size(to)]).toEqual([undefined, undefined])
  expect(fake.discarded).toEqual([to])
  expect(said(await me.get(at('images/cancelled')))).toContain('404')
  // Its name is free.
  expect(await cancel(await uploaded('cancelled', gzip(512)))).toBe('204')
})

test('a conversion cancelled as its object became complete leaves nothing behind either', async () => {
  const id = await uploaded('late', gzip(512))
  fake.after = async () => void (await cancel(id))
  await complete(id)
  await eventually(
    async () => fake.discarded.length,
    (count) => count > 0,
  )
  await settled()
  expect(await blocks.size(fake.conversions[0]?.to ?? '')).toBeUndefined()
  expect(said(await me.get(at('images/late')))).toContain('404')
})

test('a viewer can neither begin nor cancel a conversion, and a stranger sees nothing', async () => {
  const viewer = await bed.signIn('viewer')
  const stranger = await bed.addUser('stranger-to-conversions')
  const id = await uploaded('forbidden', gzip(512))
  expect(said(await complete(id, viewer))).toBe('403 Forbidden')
  expect(said(await complete(id, stranger))).toContain('404 not found: image-upload')
  fake.before = aborted
  await complete(id)
  expect(await cancel(id, viewer)).toBe('403 Forbidden')
  expect(await cancel(id, stranger)).toContain('404 not found: image-upload')
  expect((await viewer.get(`${uploads}/${id}`)).body.state).toBe('converting')
  expect(await cancel(id)).toBe('204')
  await settled()
})

test('repeated and concurrent completion converts once', async () => {
  const before = await storage()
  const id = await uploaded('once', qcow2File({ size: 2 * GiB }))
  const answers = await Promise.all([complete(id), complete(id), complete(id)])
  expect(answers.map(said)).toEqual(['202', '202', '202'])
  await inState(id, 'done')
  await settled()
  expect(fake.conversions).toHaveLength(1)
  expect(await bed.db.selectFrom('image').select('id').where('name', '=', 'once').execute()).toHaveLength(1)
  expect(await storage()).toBe(before)
})

test('only a few conversions run concurrently, and the others wait', async () => {
  let running = 0
  let peak = 0
  let proceed = (): void => {}
  const opened = new Promise<void>((resolve) => (proceed = resolve))
  fake.before = async () => {
    peak = Math.max(peak, ++running)
    await opened
    running--
  }
  const names = ['queue-1', 'queue-2', 'queue-3', 'queue-4']
  const ids = await Promise.all(names.map((name) => uploaded(name, gzip(512))))
  await Promise.all(ids.map((id) => complete(id)))
  await eventually(
    async () => running,
    (count) => count === 2,
  )
  // The others have been evaluated.
  await eventually(
    () =>
      bed.db
        .selectFrom('job')
        .select('attempts')
        .where('kind', '=', 'image-upload-conversion')
        .where('state', '=', 'pending')
        .execute(),
    (jobs) => jobs.length === 4 && jobs.every(({ attempts }) => attempts > 0),
  )
  proceed()
  await settled()
  for (const id of ids) expect((await look(id)).state).toBe('done')
  expect(peak).toBe(2)
})

test('a conversion in progress does not expire, and keeps its name and its project', async () => {
  const id = await uploaded('kept', gzip(512))
  fake.before = aborted
  await complete(id)
  expect(said(await create('kept', 512))).toBe('400 already exists: image-upload "kept"')
  bed.pass(48 * 3600 * 1000)
  me = await bed.signIn('member')
  await cancel((await create('wakes-the-loop', 512)).body.id)
  expect((await look(id)).state).toBe('converting')
  expect(await cancel(id)).toBe('204')
  await settled()
})

describe('a process that is killed', () => {
  let idle: TestBed
  let owner: Caller
  beforeAll(async () => {
    // Its jobs run only here.
    idle = await testControlPlane({ idle: true, environment: { blocks, imageConverter: converter } })
    owner = await idle.signIn('member')
  })
  afterAll(() => idle.stop())

  interface Broken {
    blocks?: Partial<BlockStore>
    converter?: Partial<ImageConverter>
    db?: Services['db']
  }
  const killed = (): never => {
    throw new Error('killed')
  }
  const services = (broken: Broken = {}): Services =>
    testServices({
      db: broken.db ?? dbOf(idle),
      blocks: { ...blocks, ...broken.blocks },
      imageConverter: { ...converter, ...broken.converter },
    })
  const dbOf = ({ db }: TestBed): Services['db'] => db

  /** The database as a process sees it that is killed at its first transaction, or right after it. */
  function dyingDb(when: 'before' | 'after'): Services['db'] {
    const db = dbOf(idle)
    let isDead = false
    return new Proxy(db, {
      get(target, name) {
        if (isDead || (name === 'transaction' && when === 'before')) killed()
        if (name === 'transaction') isDead = true
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  async function prepared(name: string) {
    const before = await usedStorage()
    const file = gzip(512)
    const { id } = (
      await post(`${uploads}?project=playground`, {
        name,
        description: '',
        os: '',
        version: '',
        block_size: 512,
        size: 512,
      })
    ).body
    const { content_id } = await row(id)
    await blocks.write(content_id, 0, file)
    const whole = { upload_id: id, first_byte: 0, length: 512, time: new Date() }
    await idle.db.insertInto('image_upload_range').values(whole).execute()
    expect((await post(`${uploads}/${id}/complete`)).body.state).toBe('converting')
    const to = (await row(id)).converted_content_id ?? ''
    const args = { upload_id: id, content_id: to }
    return {
      id,
      to,
      from: content_id,
      before,
      run: (broken?: Broken) =>
        uploadConversion.run(systemCx(services(broken), 'job:test'), args).then(
          () => 'ended',
          (error: Error) => error.message,
        ),
      giveUp: (error: Error, broken?: Broken) =>
        uploadConversion.gaveUp(systemCx(services(broken), 'job:test'), args, error).catch(() => 'killed'),
    }
  }
  const post = (path: string, body?: object) => owner.post(path, body)
  const usedStorage = async () => (await owner.get('/v1/utilization')).body.provisioned.storage
  const row = (id: string) =>
    idle.db.selectFrom('image_upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  /** Runs the removals that were queued. */
  async function removeContents(): Promise<void> {
    const jobs = await idle.db
      .selectFrom('job')
      .select('args')
      .where('kind', '=', contentRemoval.name)
      .where('state', '=', 'pending')
      .execute()
    for (const { args } of jobs) await contentRemoval.run(systemCx(services(), 'job:test'), args)
  }

  const steps: [when: string, broken: () => Broken][] = [
    ['before it converts', () => ({ converter: { convert: killed } })],
    ['while it converts', () => ({ converter: { convert: (one) => one.reserve(GiB).then(killed) } })],
    [
      'once the object is there',
      () => ({ converter: { convert: (one) => converter.convert(one).then(killed) } }),
    ],
    ['while it computes the digest', () => ({ blocks: { digest: killed } })],
    ['before it creates the image', () => ({ db: dyingDb('before') })],
    ['after it created the image', () => ({ db: dyingDb('after') })],
  ]

  test.each(steps)('%s: the next run completes the image', async (when, broken) => {
    const name = `next-${steps.findIndex(([step]) => step === when)}`
    const { id, to, from, before, run } = await prepared(name)
    expect(await run(broken())).not.toBe('ended')
    expect(await run()).toBe('ended')
    // Again, like a process that does not know of it.
    expect(await run()).toBe('ended')
    const images = await idle.db.selectFrom('image').selectAll().where('name', '=', name).execute()
    expect(images).toMatchObject([{ content_id: to, size: 4 * MiB }])
    expect(await row(id)).toMatchObject({ state: 'done', image_id: images[0]?.id })
    await removeContents()
    expect([await blocks.size(from), await blocks.size(to)]).toEqual([undefined, 4 * MiB])
    expect(await usedStorage()).toBe(before)
  })

  test.each(steps.slice(0, -1))(
    '%s, and cancelled: the next run leaves nothing behind',
    async (when, broken) => {
      const { id, to, from, before, run } = await prepared(
        `gone-${steps.findIndex(([step]) => step === when)}`,
      )
      expect(await run(broken())).not.toBe('ended')
      expect(said(await owner.call('DELETE', `${uploads}/${id}`))).toBe('204')
      await removeContents()
      // The object may appear after its removal was tried.
      await blocks.create(to, MiB)
      fake.discarded = []
      expect(await run()).toBe('ended')
      expect([await blocks.size(from), await blocks.size(to), fake.discarded]).toEqual([
        undefined,
        undefined,
        [to],
      ])
      expect(await usedStorage()).toBe(before)
    },
  )

  test('while it gives up: the next run cleans up', async () => {
    const { id, to, before, run, giveUp } = await prepared('gives-up')
    const error = new UnusableImageFile('The file is damaged.', 'Get it again.')
    expect(await giveUp(error, { converter: { discard: killed } })).toBe('killed')
    expect(await row(id)).toMatchObject({ state: 'open', converted_content_id: null, converted_charge: null })
    await blocks.create(to, MiB)
    expect(await run()).toBe('ended')
    expect([await blocks.size(to), await usedStorage()]).toEqual([undefined, before + GiB])
    // What gives up late changes nothing.
    expect((await post(`${uploads}/${id}/complete`)).body.state).toBe('converting')
    await giveUp(error)
    expect(await row(id)).toMatchObject({ state: 'converting', failure: null })
  })

  test('the end of the process interrupts a conversion, which begins again', async () => {
    const { id, run } = await prepared('stopped')
    const ending = new AbortController()
    fake.before = aborted
    const stopping = uploadConversion.run(systemCx({ ...services(), ending: ending.signal }, 'job:test'), {
      upload_id: id,
      content_id: (await row(id)).converted_content_id,
    })
    await eventually(
      async () => fake.conversions.length,
      (count) => count === 1,
    )
    ending.abort()
    expect(await stopping).toEqual({ inMs: 0 })
    expect((await row(id)).state).toBe('converting')
    fake.reset()
    expect(await run()).toBe('ended')
    expect((await row(id)).state).toBe('done')
  })
})
