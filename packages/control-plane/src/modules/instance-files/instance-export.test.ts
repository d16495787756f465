import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256 } from '@noble/hashes/sha2.js'
import { memoryBlocks } from '../../blocks/memory.ts'
import { toHex } from '../../context/ids.ts'
import { GiB } from '../../testing/case-values.ts'
import {
  type Caller,
  said,
  settledJobs,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

const blocks = memoryBlocks()
let bed: TestBed
let me: Caller
const at = 'project=shop'
const exported = (name: string, more = '') => `/ext/v1/instance-snapshots/${name}/export?${at}${more}`

beforeAll(async () => {
  bed = await testControlPlane({ environment: { blocks } })
  me = await bed.signIn('member')
  await made(me, '/v1/projects', { name: 'shop', description: '' })
  const blank = { type: 'blank', block_size: 512 }
  const disk = (name: string) => ({ type: 'create', name, description: '', size: GiB, disk_source: blank })
  await made(me, `/v1/instances?${at}`, {
    name: 'web',
    description: 'serves <pages> & more',
    hostname: 'web',
    ncpus: 2,
    memory: 2 * GiB,
    start: false,
    user_data: 'c2VjcmV0',
    boot_disk: disk('web-boot'),
    disks: [disk('web-data')],
  })
  await settledJobs(bed)
  for (const [name, offset, byte] of [
    ['web-boot', 0, 1],
    ['web-boot', GiB - 512, 2],
    ['web-data', 700 * 1024 * 1024, 3],
  ] as const)
    await blocks.write(await contentOf(name), offset, new Uint8Array(512).fill(byte))
  await made(me, `/ext/v1/instance-snapshots?${at}`, { name: 'first', description: '', instance: 'web' })
})
afterAll(() => bed.stop())

const contentOf = async (name: string): Promise<string> =>
  (await bed.db.selectFrom('disk').select('content_id').where('name', '=', name).executeTakeFirstOrThrow())
    .content_id

const fetched = (who: Caller, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  bed.plane.fetch(new Request(`http://localhost${path}`, { headers: { cookie: who.cookie, ...headers } }), {
    address: '127.0.0.1',
  })
const bytesOf = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetched(me, path, headers)
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** The entries of a tar archive. */
function entriesOf(tar: Uint8Array): Map<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>()
  const text = (from: number, length: number) =>
    new TextDecoder().decode(tar.subarray(from, from + length)).replace(/\0.*$/s, '')
  for (let start = 0; tar[start] !== 0;) {
    const size = Number.parseInt(text(start + 124, 12), 8)
    entries.set(text(start, 100), tar.subarray(start + 512, start + 512 + size))
    start += 512 + Math.ceil(size / 512) * 512
  }
  return entries
}
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

test('an archive has the settings of an instance, an image of each disk, and the digests of both', async () => {
  const plan = await me.get(`/ext/v1/instance-snapshots/first/export-plan?${at}`)
  const { response, bytes } = await bytesOf(exported('first'))
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="web.tar"')
  expect(plan.body).toMatchObject({
    file_name: 'web.tar',
    size: bytes.length,
    left_out: ['user_data', 'addresses'],
  })
  const entries = entriesOf(bytes)
  expect([...entries.keys()]).toEqual(['instance.json', 'web-disk1.qcow2', 'web-disk2.qcow2', 'SHA256SUMS'])
  expect(JSON.parse(textOf(entries.get('instance.json')))).toMatchObject({
    format: 'gantry-instance',
    version: 1,
    name: 'web',
    ncpus: 2,
    disks: [
      { name: 'web-boot', size: GiB, is_boot: true, file: 'web-disk1.qcow2' },
      { name: 'web-data', size: GiB, is_boot: false, file: 'web-disk2.qcow2' },
    ],
    network_interfaces: [{ vpc: 'default', subnet: 'default' }],
  })
  expect(textOf(bytes)).not.toContain('c2VjcmV0')
  const lines = textOf(entries.get('SHA256SUMS')).trim().split('\n')
  for (const line of lines) {
    const [digest, name] = line.split('  ')
    expect(digest).toBe(toHex(sha256(entries.get(name ?? '') ?? new Uint8Array())))
  }
  expect(lines).toHaveLength(3)
  // Of a gibibyte, only what is written.
  expect(entries.get('web-disk1.qcow2')?.length).toBeLessThan(1024 * 1024)
})

test('an OVA begins with its envelope, ends with its manifest, and escapes what users wrote', async () => {
  const entries = entriesOf((await bytesOf(exported('first', '&format=ova'))).bytes)
  expect([...entries.keys()]).toEqual(['web.ovf', 'web-disk1.vmdk', 'web-disk2.vmdk', 'web.mf'])
  expect(textOf(entries.get('web.ovf'))).toContain('serves &lt;pages&gt; &amp; more')
  for (const line of textOf(entries.get('web.mf')).trim().split('\n')) {
    const [, name, digest] = /^SHA256\((.+)\)= ([0-9a-f]{64})$/.exec(line) ?? []
    expect(digest).toBe(toHex(sha256(entries.get(name ?? '') ?? new Uint8Array())))
  }
})

test('a download that broke off resumes, also within the digests', async () => {
  const whole = await bytesOf(exported('first'))
  const etag = whole.response.headers.get('etag') ?? ''
  for (const start of [3, 70_000, whole.bytes.length - 1100]) {
    const { response, bytes } = await bytesOf(exported('first'), {
      range: `bytes=${start}-`,
      'if-range': etag,
    })
    expect(response.status).toBe(206)
    expect(toHex(sha256(bytes))).toBe(toHex(sha256(whole.bytes.subarray(start))))
  }
  const other = await bytesOf(exported('first', '&format=ova'), { range: 'bytes=3-', 'if-range': etag })
  expect(other.response.status).toBe(200)
  const known = await fetched(me, exported('first'), { 'if-none-match': etag })
  expect(known.status).toBe(304)
})

test('whoever may only read a project downloads nothing of it, and others do not learn of the snapshot', async () => {
  const viewer = await bed.signIn('viewer')
  const refused = await viewer.get(exported('first'))
  expect(refused.status).toBe(403)
  const stranger = await bed.addUser('stranger')
  expect((await stranger.get(exported('first'))).status).toBe(404)
})

test('a snapshot that is not there is said to be unknown, and another format is refused', async () => {
  expect((await me.get(exported('none'))).status).toBe(404)
  expect(said(await me.get(exported('first', '&format=zip')))).toContain('format')
})

test('many downloads of one user do not hold up another', async () => {
  const other = await bed.addUser('busy-too', { roles: [{ at: 'silo', role: 'collaborator' }] })
  const streams = await Promise.all(Array.from({ length: 16 }, () => fetched(me, exported('first'))))
  // None of them is read to its end.
  const first = streams.map(async ({ body }) => body?.getReader().read())
  const theirs = await fetched(other, exported('first'))
  expect((await theirs.arrayBuffer()).byteLength).toBe(Number(theirs.headers.get('content-length')))
  expect((await Promise.all(first)).every((piece) => piece?.value)).toBe(true)
})

test('a download ends when the right to it does', async () => {
  const { id: project } = (await me.get('/v1/projects/shop')).body
  const guest = await bed.addUser('guest', { roles: [{ at: { project }, role: 'collaborator' }] })
  const reader = (await fetched(guest, exported('first'))).body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  const emptied = await me.call('PUT', '/v1/projects/shop/policy', { role_assignments: [] })
  expect(emptied.status).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await expect(reader?.read()).rejects.toThrow('right')
  expect((await guest.get(exported('first'))).status).toBe(404)
})
