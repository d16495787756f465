import { sha256 } from '@noble/hashes/sha2.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBlocks } from '../../blocks/memory.ts'
import { toHex } from '../../context/ids.ts'
import { GiB } from '../../testing/case-values.ts'
import {
  type Caller,
  eventually,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { systemCx } from '../../context/cx.ts'
import { testServices } from '../../testing/services.ts'
import { instanceImport } from './import-job.ts'
import { ovaOf } from './instance-file.fixtures.ts'
import { tarWithDigests, textEntry } from './write/tar.ts'

const held = memoryBlocks()
let isBroken = false
/** What happens before the next write. */
let meanwhile: (() => Promise<void>) | undefined
const blocks: typeof held = {
  ...held,
  async write(...given) {
    if (isBroken) throw new Error('the store is read-only')
    const first = meanwhile
    meanwhile = undefined
    await first?.()
    return held.write(...given)
  },
}
const MiB = 1024 * 1024
const uploads = '/ext/v1/image-uploads'
let bed: TestBed
let me: Caller
let tar: Uint8Array<ArrayBuffer>
let ova: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks } })
  me = await bed.signIn('member')
  for (const name of ['shop', 'elsewhere']) await made(me, '/v1/projects', { name, description: '' })
  const blank = { type: 'blank', block_size: 512 }
  const disk = (name: string, size: number) => ({
    type: 'create',
    name,
    description: '',
    size,
    disk_source: blank,
  })
  await made(me, '/v1/instances?project=shop', {
    name: 'web',
    description: 'serves pages',
    hostname: 'web',
    ncpus: 2,
    memory: 2 * GiB,
    start: false,
    boot_disk: disk('web-boot', GiB),
    disks: [disk('web-data', 2 * GiB)],
  })
  await settledJobs(bed)
  await blocks.write(await contentOf('web-boot'), 0, bytesOf(3 * MiB))
  await blocks.write(await contentOf('web-data'), 1500 * MiB + 512, bytesOf(512))
  await made(me, '/ext/v1/instance-snapshots?project=shop', { name: 's', description: '', instance: 'web' })
  tar = await exported('gantry')
  ova = await exported('ova')
})
afterAll(() => bed.stop())

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7) % 251)
const exported = async (format: string): Promise<Uint8Array<ArrayBuffer>> => {
  const path = `/ext/v1/instance-snapshots/s/export?project=shop&format=${format}`
  const request = new Request(`http://localhost${path}`, { headers: { cookie: me.cookie } })
  return new Uint8Array(await (await bed.plane.fetch(request, { address: '127.0.0.1' })).arrayBuffer())
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

let count = 0
/** The id of an upload of a whole file. */
async function uploaded(bytes: Uint8Array<ArrayBuffer>, who = me, project = 'elsewhere'): Promise<string> {
  const id = await made(who, `${uploads}?project=${project}`, {
    name: `file-${++count}`,
    description: '',
    os: '',
    version: '',
    block_size: 512,
    size: bytes.length,
    purpose: 'instance',
  })
  for (let offset = 0; offset < bytes.length; offset += 4 * MiB) {
    const body = bytes.slice(offset, offset + 4 * MiB)
    const digest = btoa(String.fromCharCode(...sha256(body)))
    const request = new Request(`http://localhost${uploads}/${id}/content?offset=${offset}`, {
      method: 'PUT',
      headers: {
        cookie: who.cookie,
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${digest}:`,
      },
      body,
    })
    expect((await bed.plane.fetch(request, { address: '127.0.0.1' })).status).toBe(204)
  }
  return id
}
const planOf = (id: string, who = me) => who.get(`${uploads}/${id}/instance`)
const begin = (id: string, body: object, who = me) => who.post(`${uploads}/${id}/instance`, body)
const ended = (id: string) =>
  eventually(
    async () => {
      bed.pass(1000)
      await settledJobs(bed)
      return (await me.get(`${uploads}/${id}`)).body
    },
    ({ state }) => state !== 'converting',
  )
const remaining = async (): Promise<unknown> => [
  (await me.get('/ext/v1/instance-snapshots?project=elsewhere')).body.items,
  await bed.db.selectFrom('instance_import').selectAll().execute(),
]
/** Of all bytes: those of parts that were never written are known. */
const digestOf = async (content: string, size: number): Promise<string> => {
  const hash = sha256.create()
  const written = await blocks.written(content)
  for (let at = 0; at < size; at += MiB) {
    if (!written(at, MiB)) continue
    const bytes = await blocks.read(content, at, MiB)
    if (bytes.some((byte) => byte !== 0)) hash.update(new TextEncoder().encode(`${at}:`)).update(bytes)
  }
  return toHex(hash.digest())
}

/** A file of ours with another description, or other files. */
async function packed(
  change: (description: Record<string, unknown>) => unknown,
  more: readonly string[] = [],
  times = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = Number.parseInt(new TextDecoder().decode(tar.subarray(124, 135)), 8)
  const description = JSON.parse(new TextDecoder().decode(tar.subarray(512, 512 + size)))
  const text = JSON.stringify(change(description) ?? description)
  const entries = [textEntry('instance.json', text), ...more.map((name) => textEntry(name, 'x'))]
  const last = { name: 'SHA256SUMS', line: (name: string, hex: string) => `${hex}  ${name}\n`.repeat(times) }
  return bytesIn(tarWithDigests(entries, last, new Date()))
}
const bytesIn = async ({ pieces }: ReturnType<typeof tarWithDigests>): Promise<Uint8Array<ArrayBuffer>> => {
  const parts: Uint8Array[] = []
  for await (const piece of pieces()) parts.push(piece)
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

/** An envelope of a machine with an empty disk of so many bytes, and these words about it. */
const envelope = (capacity: number, words = '') => `<Envelope>
  <DiskSection><Disk diskId="a" capacity="${capacity}"/></DiskSection>
  <VirtualSystem id="a"><AnnotationSection><Annotation>${words}</Annotation></AnnotationSection>
  <VirtualHardwareSection><Item><ResourceType>17</ResourceType><HostResource>/disk/a</HostResource></Item>
  </VirtualHardwareSection></VirtualSystem></Envelope>`

test.each([
  ['an archive', () => tar, 'gantry', 'from-archive'],
  ['an OVA', () => ova, 'ova', 'from-ova'],
] as const)(
  '%s becomes a stopped instance with the same bytes in each disk',
  async (_what, bytes, format, name) => {
    const used = async () => (await me.get('/v1/utilization')).body.provisioned.storage
    const before = await used()
    const id = await uploaded(bytes())
    const plan = await planOf(id)
    expect(plan.body).toMatchObject({
      format,
      name: 'web',
      description: 'serves pages',
      ncpus: 2,
      memory: 2 * GiB,
      disks: [
        { size: GiB, is_boot: true },
        { size: 2 * GiB, is_boot: false },
      ],
      network_interfaces: [{ vpc: 'default', subnet: 'default' }],
      has_digests: true,
      losses: [],
    })
    const begun = await begin(id, { name, ncpus: 3 })
    expect([begun.status, begun.body.state]).toEqual([202, 'converting'])
    const done = await ended(id)
    expect(done).toMatchObject({ state: 'done', failure: null })
    const instance = (await me.get(`/v1/instances/${done.instance_id}`)).body
    expect(instance).toMatchObject({ name, ncpus: 3, memory: 2 * GiB, run_state: 'stopped' })
    await settledJobs(bed)
    const disks = (await me.get(`/v1/instances/${name}/disks?project=elsewhere`)).body.items
    expect(disks).toHaveLength(2)
    const boot = disks.find(({ id: disk }: { id: string }) => disk === instance.boot_disk_id)
    const data = disks.find(({ id: disk }: { id: string }) => disk !== instance.boot_disk_id)
    expect([boot.size, data.size]).toEqual([GiB, 2 * GiB])
    expect(await digestOf(await contentOf(boot.name), GiB)).toBe(
      await digestOf(await contentOf('web-boot'), GiB),
    )
    expect(await digestOf(await contentOf(data.name), 2 * GiB)).toBe(
      await digestOf(await contentOf('web-data'), 2 * GiB),
    )
    const nics = await me.get(`/v1/network-interfaces?instance=${name}&project=elsewhere`)
    expect(nics.body.items).toHaveLength(1)
    // Nothing but the disks remains, and they alone count.
    expect(await remaining()).toEqual([[], []])
    expect((await used()) - before).toBe(3 * GiB)
    expect(said(await begin(id, { name: 'again' }))).toContain('was made of this upload')
  },
)

test('whoever may only read the project imports nothing, and images are not made of instances', async () => {
  const id = await uploaded(tar)
  const viewer = await bed.signIn('viewer')
  expect((await planOf(id, viewer)).status).toBe(403)
  expect((await begin(id, { name: 'x' }, viewer)).status).toBe(403)
  expect((await planOf(id, await bed.addUser('stranger'))).status).toBe(404)
  expect(said(await me.post(`${uploads}/${id}/complete`))).toContain('this file holds an instance')
  const taken = await me.post('/v1/instances?project=elsewhere', {
    name: 'taken',
    description: '',
    hostname: 'taken',
    ncpus: 1,
    memory: GiB,
    start: false,
  })
  expect(taken.status).toBe(201)
  expect(said(await begin(id, { name: 'taken' }))).toContain('already exists')
  expect(said(await begin(id, { name: 'big', memory: GiB + 1 }))).toContain('divisible')
})

test('a file is refused with what to do, before anything is made of it', async () => {
  const refusal = async (bytes: Uint8Array<ArrayBuffer>) => {
    const { status, body } = await planOf(await uploaded(bytes))
    expect([status, typeof body.help]).toEqual([400, 'string'])
    return body.message as string
  }
  const disks = (found: Record<string, unknown>) => found.disks as Record<string, unknown>[]
  expect(await refusal(tar.slice(0, tar.length - 2 * MiB))).toContain('ends before its last entry')
  expect(await refusal(new Uint8Array(4096).fill(7))).toContain('no tar archive')
  expect(await refusal(new Uint8Array(1024))).toContain('holds no instance')
  expect(await refusal(await packed((found) => void (found.version = 2)))).toContain('version 2')
  expect(await refusal(await packed((found) => void delete found.ncpus))).toContain('ncpus')
  expect(await refusal(await packed(() => undefined))).toContain(
    'web-disk1.qcow2, the image of a disk, is missing',
  )
  expect(await refusal(await packed(() => undefined, ['web-disk1.qcow2']))).toContain(
    'neither a qcow2 nor a VMDK',
  )
  expect(await refusal(await packed(() => undefined, ['../etc']))).toContain('folders')
  expect(
    await refusal(
      await packed(
        () => undefined,
        Array.from({ length: 70 }, (_, at) => `f${at}`),
      ),
    ),
  ).toContain('more than 64 files')
  expect(await refusal(await packed(() => undefined, [], 2))).toContain('names instance.json twice')
  const many = await packed((found) => void (found.disks = Array.from({ length: 9 }, () => disks(found)[0])))
  expect(await refusal(many)).toContain('9 disks')
  const ovf = new TextDecoder().decode(ova.subarray(0, 8192))
  expect(ovf).toContain('</References>')
  const hostile = ova.slice()
  const at = ovf.indexOf('<Envelope')
  hostile.set(new TextEncoder().encode('<!DOCTYPE a>'), at)
  expect(await refusal(hostile)).toContain('document type')
})

test('a wrong byte in a disk, and one that is larger than was said, are found before the instance exists', async () => {
  const wrong = tar.slice()
  // In the first written cluster of the first disk.
  const at = tar.findIndex(
    (_, from) => from % 512 === 0 && tar[from] === 0 && tar[from + 1] === 7 && tar[from + 2] === 14,
  )
  expect(at).toBeGreaterThan(0)
  wrong[at + 5] = 99
  const id = await uploaded(wrong)
  expect((await begin(id, { name: 'damaged' })).status).toBe(202)
  const failed = await ended(id)
  expect(failed).toMatchObject({ state: 'open' })
  expect(failed.failure.message).toContain('not those that its digest is of')
  expect((await me.get('/v1/instances/damaged?project=elsewhere')).status).toBe(404)
  expect(await remaining()).toEqual([[], []])
  const [task] = (await me.get('/ext/v1/tasks?kind=image-upload')).body.items
  expect(task).toMatchObject({ verb: 'import', state: 'needs_attention' })
})

test('an import that the store fails keeps the file, and works when it is begun again', async () => {
  const id = await uploaded(tar)
  isBroken = true
  await begin(id, { name: 'second-try' })
  const failed = await ended(id)
  isBroken = false
  const errors = bed.logged.filter(({ level }) => level === 'error')
  expect(errors.map(({ message }) => message)).toEqual(['an instance could not be imported'])
  bed.logged.length = 0
  expect(failed.state).toBe('open')
  expect(failed.failure).toMatchObject({ message: 'The disks could not be written on the server.' })
  expect(await remaining()).toEqual([[], []])
  expect((await begin(id, { name: 'second-try' })).status).toBe(202)
  expect(await ended(id)).toMatchObject({ state: 'done', failure: null })
})

test('a cancelled import leaves nothing, and many of one user end in turn', async () => {
  const before = (await me.get('/v1/utilization')).body.provisioned.storage
  const ids = []
  for (let at = 0; at < 4; at++) ids.push(await uploaded(tar))
  const answers = await Promise.all(ids.map((id, at) => begin(id, { name: `many-${at}` })))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  const [first = '', ...others] = ids
  expect((await me.call('DELETE', `${uploads}/${first}`)).status).toBe(204)
  for (const id of others) expect(await ended(id)).toMatchObject({ state: 'done' })
  await settledJobs(bed)
  expect(await remaining()).toEqual([[], []])
  expect((await me.get('/v1/utilization')).body.provisioned.storage - before).toBe(3 * 3 * GiB)
})

test('what the database cannot store of a text is dropped, and the tags of the request are set', async () => {
  const words = await bytesIn(ovaOf(envelope(GiB, 'a&#xD800;b\0c')))
  const id = await uploaded(words)
  expect((await planOf(id)).body).toMatchObject({ description: 'abc', tags: [] })
  await me.call('POST', `${uploads}/${id}/instance`, { name: 'tagged' }, { 'gantry-tags': 'env=prod' })
  expect(await ended(id)).toMatchObject({ state: 'done' })
  const { id: tagged } = (await me.get('/v1/instances/tagged?project=elsewhere')).body
  const tags = async (of: string) => (await me.get(`/ext/v1/tags/${of}?kind=instance`)).body.tags
  expect(await tags(tagged)).toEqual([{ key: 'env', value: 'prod' }])
})

test('a silo that demands tags of images demands them of no file that an instance is made of', async () => {
  const admin = await bed.signIn('admin')
  const demand = (kinds: string[]) =>
    admin.call('PUT', '/ext/v1/tag-demand', { keys: ['env'], kinds, is_for_all_clients: true })
  expect(said(await demand(['image', 'instance']))).toBe('200')
  try {
    const id = await uploaded(tar)
    expect((await begin(id, { name: 'bare' })).body.message).toMatch(/needs tags with these keys: env/)
    const image = { name: 'bare', description: '', os: '', version: '', block_size: 512, size: MiB }
    expect((await me.post(`${uploads}?project=elsewhere`, image)).body.message).toMatch(/: env/)
    const tags = { 'gantry-tags': 'env=prod' }
    expect(said(await me.call('POST', `${uploads}/${id}/instance`, { name: 'dressed' }, tags))).toBe('202')
    expect(await ended(id)).toMatchObject({ state: 'done' })
  } finally {
    await demand([])
  }
})

test('the disks of an import are charged while they are written, so that many cannot write more than is allowed', async () => {
  const { provisioned, capacity } = (await me.get('/v1/utilization')).body
  const left = capacity.storage - provisioned.storage
  const size = Math.min(1023, Math.floor((0.6 * left) / GiB)) * GiB
  const copies = Math.floor(left / size)
  const ids = []
  for (let at = 0; at <= copies; at++) ids.push(await uploaded(await bytesIn(ovaOf(envelope(size)))))
  const begun = await Promise.all(ids.map((id, at) => begin(id, { name: `large-${at}` })))
  const refused = begun.filter(({ status }) => status !== 202)
  expect(refused.map(({ status, body }) => `${status} ${body.help}`)).toEqual([
    expect.stringMatching(/^507 .*Storage quota exceeded/),
  ])
  const accepted = ids.filter((_, at) => begun[at]?.status === 202)
  const states = await Promise.all(accepted.map(async (id) => (await ended(id)).state))
  expect(states).toEqual(accepted.map(() => 'done'))
  expect((await me.get('/v1/utilization')).body.provisioned.storage).toBeLessThanOrEqual(capacity.storage)
})

/** The import in progress, and another process that shares its database and its store. */
async function other() {
  const begun = await bed.db.selectFrom('instance_import').selectAll().executeTakeFirstOrThrow()
  return { begun, cx: systemCx(testServices({ db: bed.db, blocks }), 'job:instance-import') }
}
async function expectCopied(name: string): Promise<void> {
  await settledJobs(bed)
  const { items } = (await me.get(`/v1/instances/${name}/disks?project=elsewhere`)).body
  const disks = items.toSorted((a: { size: number }, b: { size: number }) => a.size - b.size)
  const copies = await Promise.all(
    disks.map(async (one: { name: string; size: number }) => digestOf(await contentOf(one.name), one.size)),
  )
  const boot = await digestOf(await contentOf('web-boot'), GiB)
  expect(copies).toEqual([boot, await digestOf(await contentOf('web-data'), 2 * GiB)])
  expect(await remaining()).toEqual([[], []])
}

test('a process that is slow harms nothing of another one that has done the import meanwhile', async () => {
  const id = await uploaded(tar)
  meanwhile = async () => {
    const { begun, cx } = await other()
    const { upload_id, instance_snapshot_id } = begun
    await instanceImport.run(cx, { upload_id, instance_snapshot_id })
  }
  expect((await begin(id, { name: 'by-the-other' })).status).toBe(202)
  expect(await ended(id)).toMatchObject({ state: 'done', failure: null })
  await expectCopied('by-the-other')
})

test('a process that is slow leaves the import to another one that has begun it', async () => {
  const id = await uploaded(tar)
  meanwhile = async () => {
    const { begun } = await other()
    const disks = begun.disks.map((disk) => ({ ...disk, content_id: crypto.randomUUID() }))
    const set = { disks: JSON.stringify(disks) }
    await bed.db.updateTable('instance_import').set(set).where('upload_id', '=', id).execute()
  }
  expect((await begin(id, { name: 'by-the-third' })).status).toBe(202)
  await settledJobs(bed)
  expect((await me.get(`${uploads}/${id}`)).body).toMatchObject({ state: 'converting', failure: null })
  expect((await me.get('/v1/instances/by-the-third?project=elsewhere')).status).toBe(404)
  const { begun, cx } = await other()
  const { upload_id, instance_snapshot_id } = begun
  await instanceImport.run(cx, { upload_id, instance_snapshot_id })
  expect(await ended(id)).toMatchObject({ state: 'done', failure: null })
  await expectCopied('by-the-third')
})

test('an import needs the right at its end, too', async () => {
  const { id: project } = (await me.get('/v1/projects/elsewhere')).body
  const guest = await bed.addUser('importer', { roles: [{ at: { project }, role: 'collaborator' }] })
  const id = await uploaded(tar, guest)
  bed.plane.wake('jobs')
  const begun = begin(id, { name: 'late' }, guest)
  expect((await begun).status).toBe(202)
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', guest.id).execute()
  await bed.db.updateTable('silo_user').set({ is_active: false }).where('id', '=', guest.id).execute()
  const failed = await ended(id)
  expect(failed.state).toBe('open')
  expect((await me.get('/v1/instances/late?project=elsewhere')).status).toBe(404)
  expect(await remaining()).toEqual([[], []])
})
