import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { readSpec } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { guestSector } from '../../packages/server/src/testing/guest/sector.ts'
import { removeFromHost } from '../../packages/server/src/testing/on-host.ts'
import {
  machineFolderIn,
  machinesIn,
  missingForQemu,
  volumeFileIn,
} from '../../packages/server/src/testing/qemu.ts'

const missing = (await missingForQemu()) ?? (process.getuid?.() === 0 ? undefined : 'it needs root')
if (missing) console.warn(`skipped: exports and imports with real machines, ${missing}`)

const run = promisify(execFile)
const MiB = 1024 ** 2
const GiB = 1024 ** 3
/** A boot where QEMU translates the guest's code, on a busy host. */
const patienceMs = 120_000
/** Behind the guest. */
const bytes = randomBytes(8 * MiB)
const BYTES_AT = 2 * MiB

describe.skipIf(missing)('an instance with a real machine as a file', () => {
  const gantry = new Gantry({ args: ['--fleet', 'qemu'], settings: { recycle_bin: { hours: 0 } } })
  const client = new Client(gantry)
  let folder = ''
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-files-'))
    await gantry.start()
    await client.signIn()
  })
  afterAll(async () => {
    await gantry.kill('SIGTERM')
    await removeFromHost(gantry.dataDir)
    await gantry.remove()
    await fs.rm(folder, { recursive: true, force: true })
  })

  const uploads = '/ext/v1/image-uploads'
  async function send<Answer>(method: string, where: string, body?: object): Promise<Answer> {
    const response = await client.send(method, where, body)
    const text = await response.text()
    expect(response.ok, `${method} ${where} answered ${response.status}: ${text}`).toBe(true)
    return JSON.parse(text || '{}') as Answer
  }
  async function uploaded(whole: Buffer, fields: object): Promise<string> {
    const { id } = await send<{ id: string }>('POST', `${uploads}?project=playground`, {
      description: '',
      os: '',
      version: '',
      block_size: 512,
      size: whole.length,
      ...fields,
    })
    for (let offset = 0; offset < whole.length; offset += 4 * MiB) {
      const part = whole.subarray(offset, offset + 4 * MiB)
      const digest = createHash('sha256').update(part).digest('base64')
      const answer = await client.request('PUT', `${uploads}/${id}/content?offset=${offset}`, {
        bytes: new Uint8Array(part),
        headers: {
          'content-type': 'application/octet-stream',
          'content-digest': `sha-256=:${digest}:`,
        },
      })
      expect(answer.status, await answer.text()).toBeLessThan(300)
    }
    return id
  }
  const ended = (id: string) =>
    eventually(
      () => client.read<{ state: string; failure: unknown; image_id: string }>(`${uploads}/${id}`),
      ({ state }) => state === 'done' || state === 'open',
      patienceMs,
    )
  const becomes = (instance: string, wanted: string) =>
    eventually(
      () => client.read<{ run_state: string }>(`/v1/instances/${instance}?project=playground`),
      ({ run_state }) => run_state === wanted,
      patienceMs,
    )
  /** The guest starts from the first sector of its disk, and says so. */
  async function boots(instance: string): Promise<void> {
    await becomes(instance, 'running')
    await eventually(
      async () => {
        const { data } = await client.read<{ data: number[] }>(
          `/v1/instances/${instance}/serial-console?project=playground&from_start=0&max_bytes=1000000`,
        )
        return Buffer.from(data).toString('latin1')
      },
      (said) => said.includes('guest ready'),
      patienceMs,
    )
  }
  async function bytesOf(instance: string): Promise<Buffer> {
    for (const id of await fs.readdir(machinesIn(gantry.dataDir))) {
      const { name, disks } = await readSpec(machineFolderIn(gantry.dataDir, id))
      if (name !== instance) continue
      const file = await fs.open(volumeFileIn(gantry.dataDir, disks[0]?.content_id ?? ''))
      const { buffer } = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, BYTES_AT)
      await file.close()
      return buffer
    }
    throw new Error(`no machine is ${instance}`)
  }

  test('leaves as an archive and as an OVA, which qemu-img checks, and boots from both with the same bytes', async () => {
    const whole = Buffer.alloc(BYTES_AT + bytes.length)
    whole.set(guestSector)
    whole.set(bytes, BYTES_AT)
    const upload = await uploaded(whole, { name: 'guest' })
    await send('POST', `${uploads}/${upload}/complete`)
    const { image_id } = await ended(upload)
    await send('POST', '/v1/instances?project=playground', {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: GiB,
      network_interfaces: { type: 'none' },
      boot_disk: {
        type: 'create',
        name: 'web-boot',
        description: '',
        size: GiB,
        disk_source: { type: 'image', image_id },
      },
    })
    await boots('web')
    // While it runs.
    await send('POST', '/ext/v1/instance-snapshots?project=playground', {
      name: 'moved',
      description: '',
      instance: 'web',
    })
    for (const [format, image, name] of [
      ['gantry', 'web-disk1.qcow2', 'from-archive'],
      ['ova', 'web-disk1.vmdk', 'from-ova'],
    ] as const) {
      const response = await client.send(
        'GET',
        `/ext/v1/instance-snapshots/moved/export?project=playground&format=${format}`,
      )
      const file = Buffer.from(await response.arrayBuffer())
      expect(file.length).toBe(Number(response.headers.get('content-length')))
      await fs.writeFile(path.join(folder, 'web.tar'), file)
      await run('tar', ['xf', 'web.tar'], { cwd: folder })
      await run('qemu-img', ['check', image], { cwd: folder })
      await run('qemu-img', ['convert', '-O', 'raw', image, 'disk.raw'], { cwd: folder })
      const raw = await fs.readFile(path.join(folder, 'disk.raw'))
      expect(raw.subarray(BYTES_AT, BYTES_AT + bytes.length).equals(bytes)).toBe(true)
      if (format === 'gantry') await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })

      const id = await uploaded(file, { name, purpose: 'instance' })
      await send('POST', `${uploads}/${id}/instance`, { name })
      expect(await ended(id)).toMatchObject({ state: 'done', failure: null })
      await send('POST', `/v1/instances/${name}/start?project=playground`)
      await boots(name)
      expect((await bytesOf(name)).equals(bytes)).toBe(true)
    }
  }, 600_000)
})
