import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { BackupStore } from '@gantry/control-plane/blocks/backup-store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { folderStore } from '../../packages/server/src/backup-stores/folder-store.ts'
import { s3Secret, s3Server } from '../../packages/server/src/backup-stores/s3-server.fixtures.ts'
import { s3Store } from '../../packages/server/src/backup-stores/s3-store.ts'
import { socketsFolder } from '../../packages/server/src/fleet/qemu/machine/machine-folder.ts'
import { connectSocket } from '../../packages/server/src/fleet/qemu/machine/qmp.ts'
import { readSpec } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { guestSector } from '../../packages/server/src/testing/guest/sector.ts'
import { removeFromHost } from '../../packages/server/src/testing/on-host.ts'
import {
  machineFolderIn,
  machinesIn,
  missingForQemu,
  volumeFileIn,
  volumesIn,
} from '../../packages/server/src/testing/qemu.ts'

const missing = (await missingForQemu()) ?? (process.getuid?.() === 0 ? undefined : 'it needs root')
if (missing) console.warn(`skipped: backups of instances with real machines, ${missing}`)

const MiB = 1024 ** 2
const GiB = 1024 ** 3
/** A boot where QEMU translates the guest's code, on a busy host. */
const patienceMs = 120_000
/** What no compression makes smaller, behind the guest. */
const bytes = randomBytes(24 * MiB)
const BYTES_AT = 2 * MiB
/** Where the guest counts; the second follows the first. */
const counters = [8 * 512, 122_880 * 512] as const

const bucketOf = (port: number) => ({
  type: 's3' as const,
  endpoint: `http://127.0.0.1:${port}`,
  region: 'us-east-1',
  bucket: 'backups',
  prefix: 'box',
  path_style: true,
  access_key_id: 'S3RVER',
})

interface Backup {
  state: string
  failure: unknown
  stored: number
  time_verified: string | null
  consistency: string
  disks: { disk_id: string }[]
}

describe.skipIf(missing)('backups of an instance with a real machine', () => {
  const allowed_networks = ['127.0.0.0/8']
  const gantry = new Gantry({
    args: ['--fleet', 'qemu'],
    settings: { egress: { allowed_networks }, recycle_bin: { hours: 0 } },
  })
  const client = new Client(gantry)
  let folder = ''
  let s3: Awaited<ReturnType<typeof s3Server>>
  let image = ''
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-s3-'))
    s3 = await s3Server(folder)
    await gantry.start()
    await client.signIn()
    image = await uploadGuest()
  })
  afterAll(async () => {
    await gantry.kill('SIGTERM')
    await removeFromHost(gantry.dataDir)
    await gantry.remove()
    await s3.close()
    await fs.rm(folder, { recursive: true, force: true })
  })

  const inProject = (what: string): string => `/v1/${what}?project=playground`
  const ours = (what: string): string => `/ext/v1/${what}?project=playground`
  async function send<Answer>(method: string, where: string, body?: object): Promise<Answer> {
    const response = await client.send(method, where, body)
    const text = await response.text()
    expect(response.ok, `${method} ${where} answered ${response.status}: ${text}`).toBe(true)
    return JSON.parse(text || '{}') as Answer
  }

  /** An image whose disks boot the guest of the driver's tests and hold bytes behind it. */
  async function uploadGuest(): Promise<string> {
    const whole = Buffer.alloc(BYTES_AT + bytes.length)
    whole.set(guestSector)
    whole.set(bytes, BYTES_AT)
    const fields = { name: 'guest', description: '', os: 'none', version: '1', block_size: 512 }
    const uploads = '/ext/v1/image-uploads'
    const { id } = await send<{ id: string }>('POST', ours('image-uploads'), {
      ...fields,
      size: whole.length,
    })
    for (let offset = 0; offset < whole.length; offset += 2 * MiB) {
      const part = whole.subarray(offset, offset + 2 * MiB)
      const digest = createHash('sha256').update(part).digest('base64')
      const headers = {
        'content-type': 'application/octet-stream',
        'content-digest': `sha-256=:${digest}:`,
      }
      const where = `${uploads}/${id}/content?offset=${offset}`
      const answer = await client.request('PUT', where, { bytes: new Uint8Array(part), headers })
      expect(answer.status, await answer.text()).toBeLessThan(300)
    }
    await send('POST', `${uploads}/${id}/complete`)
    const { image_id } = await eventually(
      () => client.read<{ state: string; image_id: string | null }>(`${uploads}/${id}`),
      ({ state }) => state === 'done',
      patienceMs,
    )
    return image_id ?? ''
  }

  const becomes = (instance: string, wanted: string) =>
    eventually(
      () => client.read<{ run_state: string }>(inProject(`instances/${instance}`)),
      ({ run_state }) => run_state === wanted,
      patienceMs,
    )
  async function stop(instance: string): Promise<void> {
    await send('POST', inProject(`instances/${instance}/stop`))
    await becomes(instance, 'stopped')
  }
  const says = (instance: string, words: string) =>
    eventually(
      async () => {
        const where = `${inProject(`instances/${instance}/serial-console`)}&from_start=0&max_bytes=1000000`
        const { data } = await client.read<{ data: number[] }>(where)
        return Buffer.from(data).toString('latin1')
      },
      (said) => said.includes(words),
      patienceMs,
    )
  /** The only machine of an instance, which is running. */
  async function machineOf(instance: string): Promise<{ id: string; volume: string }> {
    for (const id of await fs.readdir(machinesIn(gantry.dataDir))) {
      const { name, disks } = await readSpec(machineFolderIn(gantry.dataDir, id))
      if (name === instance) return { id, volume: disks[0]?.content_id ?? '' }
    }
    throw new Error(`no machine is ${instance}`)
  }
  /** Has the guest begin or end to count. */
  async function toggleCounting(instance: string): Promise<void> {
    const { id } = await machineOf(instance)
    const socket = await connectSocket(socketsFolder(machineFolderIn(gantry.dataDir, id)), 'serial')
    const answered = new Promise<void>((done) => {
      socket.on('data', (said: Buffer) => said.includes('W') && done())
    })
    socket.write('W')
    await answered
    socket.destroy()
  }
  async function readVolume(volume: string, offset: number, length: number): Promise<Buffer> {
    const file = await fs.open(volumeFileIn(gantry.dataDir, volume))
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
    await file.close()
    return buffer
  }
  const countsOf = (volume: string): Promise<number[]> =>
    Promise.all(counters.map(async (at) => (await readVolume(volume, at, 4)).readUInt32LE(0)))
  const countsBeyond = (instance: string, count: number) =>
    eventually(
      async () => countsOf((await machineOf(instance)).volume),
      ([first = 0]) => first > count,
      patienceMs,
    )
  async function expectBytes(volume: string): Promise<void> {
    expect((await readVolume(volume, BYTES_AT, bytes.length)).equals(bytes)).toBe(true)
  }

  async function backUp(instance: string, name: string, backup_target: string): Promise<Backup> {
    const body = { name, description: '', instance, backup_target }
    await send('POST', ours('instance-backups'), body)
    return becomesReady(name)
  }
  async function becomesReady(name: string): Promise<Backup> {
    const backup = await eventually(
      () => client.read<Backup>(ours(`instance-backups/${name}`)),
      ({ state }) => state === 'ready' || state === 'faulted',
      patienceMs,
    )
    expect(backup).toMatchObject({ state: 'ready', failure: null })
    return backup
  }
  async function restore(name: string, body: object): Promise<void> {
    await send('POST', ours(`instance-backups/${name}/restore`), body)
    const { items } = await eventually(
      () =>
        client.read<{ items: { state: string; failure: unknown }[] }>(
          `/ext/v1/tasks?kind=instance-backup-restore&project=playground`,
        ),
      (page) => page.items.every(({ state }) => state !== 'running'),
      patienceMs,
    )
    expect(items[0]).toMatchObject({ state: 'finished', failure: null })
  }
  async function destroy(instance: string): Promise<void> {
    const { items } = await client.read<{ items: { id: string }[] }>(inProject(`instances/${instance}/disks`))
    await stop(instance)
    await send('DELETE', inProject(`instances/${instance}`))
    for (const { id } of items) await send('DELETE', `/v1/disks/${id}`)
  }

  const places = {
    folder: {
      store: () => ({ type: 'folder', folder: 'box' }),
      open: (): BackupStore =>
        folderStore(path.join(gantry.backupsFolder, 'box'), new AbortController().signal),
    },
    bucket: {
      store: () => ({ ...bucketOf(s3.port), secret: s3Secret }),
      open: (): BackupStore =>
        s3Store(bucketOf(s3.port), s3Secret, {
          egress: { allowed_networks },
          signal: new AbortController().signal,
        }),
    },
  }

  test.each(['folder', 'bucket'] as const)(
    'bring a destroyed instance back from a %s, byte for byte, and the second one is small',
    async (place) => {
      const target = `in-a-${place}`
      const store = places[place].store()
      await send('POST', '/ext/v1/system/backup-targets', { name: target, description: '', store })
      const chunks = (): Promise<string[]> => places[place].open().list('chunks/', undefined)
      const web = `web-${place}`
      await send('POST', inProject('instances'), {
        name: web,
        description: 'with bytes',
        hostname: web,
        ncpus: 1,
        memory: GiB,
        network_interfaces: { type: 'none' },
        boot_disk: {
          type: 'create',
          name: `${web}-boot`,
          description: '',
          size: GiB,
          disk_source: { type: 'image', image_id: image },
        },
      })
      await becomes(web, 'running')
      await says(web, 'guest ready')

      const [one, two] = [`${place}-one`, `${place}-two`]
      const first = await backUp(web, one, target)
      expect(first.consistency).toBe('power_cut')
      expect(first.stored).toBeGreaterThan(bytes.length)
      const sent = await chunks()
      expect(sent).toHaveLength(1 + bytes.length / MiB)

      // The guest writes before the second one and while it is taken.
      await toggleCounting(web)
      const [before = 0] = await countsBeyond(web, 0)
      const second = await backUp(web, two, target)
      const [after = 0] = await countsOf((await machineOf(web)).volume)
      // The sector that boots and the first counter share a chunk; the second counter has one of its own.
      expect(await chunks()).toHaveLength(sent.length + 2)
      expect(second.stored).toBeGreaterThan(0)
      expect(second.stored).toBeLessThan(first.stored / 100)
      for (const name of [one, two]) {
        await send('POST', ours(`instance-backups/${name}/verify`))
        expect((await becomesReady(name)).time_verified).not.toBeNull()
      }

      // In place, what was written since is rolled back.
      await countsBeyond(web, after)
      await stop(web)
      await restore(two, { type: 'in_place', keep_present: false })
      await send('POST', inProject(`instances/${web}/start`))
      await becomes(web, 'running')
      await says(web, 'guest ready')
      const { volume } = await machineOf(web)
      const counted = await countsOf(volume)
      const [count = 0, follows = 0] = counted
      expect([follows, follows + 1]).toContain(count)
      expect(count).toBeGreaterThanOrEqual(before)
      expect(count).toBeLessThanOrEqual(after)
      await expectBytes(volume)
      await stop(web)
      // Not the one before it, which has nothing to do with how much is sent.
      expect((await backUp(web, `${place}-three`, target)).stored).toBe(0)
      expect((await backUp(web, `${place}-four`, target)).consistency).toBe('stopped')
      await send('POST', inProject(`instances/${web}/start`))
      await becomes(web, 'running')

      // After the instance and its disk have gone, as a new one and as a single disk.
      await destroy(web)
      await eventually(
        () => fs.readdir(volumesIn(gantry.dataDir)),
        (names) => !names.includes(volume),
        patienceMs,
      )
      const again = `again-${place}`
      await restore(two, { type: 'instance', name: again, start: true })
      await becomes(again, 'running')
      await says(again, 'guest ready')
      const restored = (await machineOf(again)).volume
      expect(await countsOf(restored)).toEqual(counted)
      await expectBytes(restored)

      const known = await fs.readdir(volumesIn(gantry.dataDir))
      const [disk] = second.disks
      await restore(one, { type: 'disk', disk_id: disk?.disk_id, name: `disk-${place}` })
      const isNew = (name: string): boolean => !name.startsWith('.') && !known.includes(name)
      const volumes = await eventually(
        () => fs.readdir(volumesIn(gantry.dataDir)),
        (names) => names.some(isNew),
        patienceMs,
      )
      const single = volumes.find(isNew) ?? ''
      await eventually(
        () => client.read<{ state: { state: string } }>(inProject(`disks/disk-${place}`)),
        ({ state }) => state.state === 'detached',
        patienceMs,
      )
      // The first backup is from before the guest counted.
      expect(await countsOf(single)).toEqual([0, 0])
      await expectBytes(single)

      // Without any backup, nothing of them is left there.
      for (const number of ['one', 'two', 'three', 'four'])
        await send('DELETE', ours(`instance-backups/${place}-${number}`))
      await eventually(chunks, (names) => names.length === 0, patienceMs)
      await destroy(again)
    },
  )
})
