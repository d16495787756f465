import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { identityOf } from '../../packages/server/src/fleet/qemu/host/processes.ts'
import { readSpec } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { guestSector } from '../../packages/server/src/testing/guest/sector.ts'
import { pattern } from '../../packages/server/src/testing/machine-acts.ts'
import { onHost, removeFromHost } from '../../packages/server/src/testing/on-host.ts'
import {
  machineFolderIn,
  machinesIn,
  missingForQemu,
  volumeFileIn,
  volumesIn,
} from '../../packages/server/src/testing/qemu.ts'
import { haltedCopy } from './halted-copy.ts'

const missing = (await missingForQemu()) ?? (process.getuid?.() === 0 ? undefined : 'it needs root')
if (missing) console.warn(`skipped: kills of a server with real machines, ${missing}`)

/** Lives of an instance, with a kill in each of its steps; fewer during development. */
const lives = Number(process.env['GANTRY_KILL_LIVES'] ?? 6)
/** What a step begins is over within this time, also where QEMU translates the guest's code. */
const stepMs = 3000
/** A restart of a server whose host is busy. */
const settleMs = 120_000

const MiB = 1024 ** 2
const GiB = 1024 ** 3
/** The program that `Gantry` runs. */
const entry = fileURLToPath(new URL('../../packages/server/dist/gantry.js', import.meta.url))
const passing = new Set(['creating', 'starting', 'stopping', 'rebooting', 'attaching', 'detaching'])

interface Instance {
  id: string
  name: string
  run_state: string
}
interface Disk {
  id: string
  name: string
  state: { state: string; instance?: string }
}
interface Snapshot {
  id: string
  name: string
  state: string
}
interface State {
  instances: Instance[]
  disks: Disk[]
  snapshots: Snapshot[]
}

/** A request, and whether what it asks for is so. */
interface Step {
  what: string
  method: string
  path: string
  body?: object
  isDone: (state: State) => boolean
}

describe.skipIf(missing)('kills of a server with real machines', () => {
  const gantry = new Gantry({ args: ['--fleet', 'qemu'] })
  const client = new Client(gantry)
  let image = ''
  beforeAll(async () => {
    await gantry.start()
    await client.signIn()
    image = await uploadGuest()
  })
  afterAll(async () => {
    await gantry.kill('SIGTERM')
    await removeFromHost(gantry.dataDir)
    await gantry.remove()
  })

  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await client.send(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const inProject = (path: string): string => `/v1/${path}?project=playground`
  const items = async <Item>(path: string): Promise<Item[]> =>
    (await client.read<{ items: Item[] }>(inProject(path))).items
  const look = async (): Promise<State> => ({
    instances: await items('instances'),
    disks: await items('disks'),
    snapshots: await items('snapshots'),
  })
  const settled = (): Promise<State> =>
    eventually(
      look,
      ({ instances, disks, snapshots }) =>
        ![
          ...instances.map(({ run_state }) => run_state),
          ...disks.map(({ state }) => state.state),
          ...snapshots.map(({ state }) => state),
        ].some((state) => passing.has(state)),
      settleMs,
    )

  /** An image whose disks boot the guest of the driver's tests and hold a pattern behind it. */
  async function uploadGuest(): Promise<string> {
    const bytes = Buffer.alloc(8 * 1024 ** 2)
    bytes.set(guestSector)
    bytes.set(pattern.of('image'), pattern.offset)
    const fields = { name: 'guest', description: '', os: 'none', version: '1', block_size: 512 }
    const uploads = '/ext/v1/image-uploads'
    const { id } = (await send('POST', `${uploads}?project=playground`, {
      ...fields,
      size: bytes.length,
    })) as {
      id: string
    }
    const headers = {
      'content-type': 'application/octet-stream',
      'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
    }
    const part = await client.request('PUT', `${uploads}/${id}/content?offset=0`, { bytes, headers })
    expect(part.status, await part.text()).toBeLessThan(300)
    await send('POST', `${uploads}/${id}/complete`)
    const { image_id } = await eventually(
      () => client.read<{ state: string; image_id: string | null }>(`${uploads}/${id}`),
      ({ state }) => state === 'done',
      settleMs,
    )
    return image_id ?? ''
  }

  /** Sends the request, and kills the server at some moment of what follows. */
  async function killDuring(step: Step): Promise<void> {
    const answer = send(step.method, step.path, step.body).then(
      () => true,
      (error: unknown) => {
        // Without an answer, it may have been carried out or not.
        if (error instanceof TypeError) return false
        throw error
      },
    )
    // Half of them within the first quarter, in which the request itself is processed.
    await new Promise((resolve) => setTimeout(resolve, stepMs * Math.random() ** 2))
    await gantry.kill('SIGKILL')
    const wasAnswered = await answer
    await gantry.start()
    let state = await check(step.what)
    if (!wasAnswered && !step.isDone(state)) {
      await send(step.method, step.path, step.body)
      state = await check(step.what)
    }
    expect(step.isDone(state), step.what).toBe(true)
  }

  /** Once all is at rest, the host has exactly what the records say. */
  async function check(after: string): Promise<State> {
    const state = await settled()
    const running = state.instances.filter(({ run_state }) => run_state === 'running')
    const ids = running.map(({ id }) => id).sort()
    // What is no longer wanted is removed soon after.
    const folders = await eventually(
      () => fs.readdir(machinesIn(gantry.dataDir)),
      (names) => names.length === ids.length,
      settleMs,
    )
    const specs = await Promise.all(folders.map((name) => readSpec(machineFolderIn(gantry.dataDir, name))))
    expect(specs.map(({ instance_id }) => instance_id).sort(), after).toEqual(ids)
    const { machines } = await onHost(gantry.dataDir)
    expect([...machines.keys()].sort(), after).toEqual(folders.sort())
    expect([...machines.values()].map((pids) => pids.length)).toEqual(folders.map(() => 1))
    for (const { instance_id, disks } of specs) {
      const attached = state.disks.filter(({ state }) => state.instance === instance_id)
      expect(disks.map(({ id }) => id).sort(), after).toEqual(attached.map(({ id }) => id).sort())
    }
    const volumes = await eventually(
      () => fs.readdir(volumesIn(gantry.dataDir)),
      (names) => names.length === state.disks.length,
      settleMs,
    )
    for (const volume of volumes) {
      const file = await fs.open(volumeFileIn(gantry.dataDir, volume))
      const expected = pattern.of('image')
      const { buffer } = await file.read(Buffer.alloc(expected.length), 0, expected.length, pattern.offset)
      await file.close()
      expect(expected.equals(buffer), `the bytes of ${volume} after: ${after}`).toBe(true)
    }
    return state
  }

  const ofImage = () => ({ size: GiB, disk_source: { type: 'image', image_id: image } })
  const creation = (name: string) => ({
    name,
    description: '',
    hostname: name,
    ncpus: 1,
    memory: GiB,
    boot_disk: { type: 'create', name: `${name}-boot`, description: '', ...ofImage() },
    // An instance whose machine crashed remains failed, until the test starts it again.
    auto_restart_policy: 'never',
  })
  const instanceIs =
    (name: string, state: string | undefined) =>
    ({ instances }: State): boolean =>
      instances.find((one) => one.name === name)?.run_state === state
  const has =
    (name: string, isWanted = true) =>
    ({ disks }: State): boolean =>
      disks.some((disk) => disk.name === name) === isWanted
  const act = (name: string, action: string): string => inProject(`instances/${name}/${action}`)

  /** The life of an instance, from its creation to the deletion of its disks. */
  function lifeOf(name: string): Step[] {
    const instance = inProject(`instances/${name}`)
    const data = { disk: `${name}-data` }
    const isAttached =
      (isWanted: boolean) =>
      ({ disks }: State): boolean =>
        disks.some((disk) => disk.name === data.disk && (disk.state.state === 'attached') === isWanted)
    const post = { method: 'POST' }
    return [
      {
        ...post,
        what: 'create',
        path: inProject('instances'),
        body: creation(name),
        isDone: instanceIs(name, 'running'),
      },
      {
        ...post,
        what: 'snapshot',
        path: inProject('snapshots'),
        body: { name, description: '', disk: `${name}-boot` },
        isDone: ({ snapshots }) => snapshots.some((one) => one.name === name && one.state === 'ready'),
      },
      { ...post, what: 'stop', path: act(name, 'stop'), isDone: instanceIs(name, 'stopped') },
      {
        ...post,
        what: 'create a disk from the snapshot',
        path: inProject('disks'),
        get body() {
          const disk_source = { type: 'snapshot', snapshot_id: snapshotIds.get(name) }
          return { name: data.disk, description: '', size: GiB, disk_source }
        },
        isDone: has(data.disk),
      },
      { ...post, what: 'attach', path: act(name, 'disks/attach'), body: data, isDone: isAttached(true) },
      { ...post, what: 'start', path: act(name, 'start'), isDone: instanceIs(name, 'running') },
      {
        ...post,
        what: 'snapshot with two disks',
        path: inProject('snapshots'),
        body: { name: `${name}-2`, description: '', disk: data.disk },
        isDone: ({ snapshots }) => snapshots.some((one) => one.name === `${name}-2` && one.state === 'ready'),
      },
      { ...post, what: 'stop again', path: act(name, 'stop'), isDone: instanceIs(name, 'stopped') },
      { ...post, what: 'detach', path: act(name, 'disks/detach'), body: data, isDone: isAttached(false) },
      { method: 'DELETE', what: 'delete', path: instance, isDone: instanceIs(name, undefined) },
      ...[data.disk, `${name}-boot`].map((disk) => ({
        method: 'DELETE',
        what: `delete ${disk}`,
        path: inProject(`disks/${disk}`),
        isDone: has(disk, false),
      })),
    ]
  }
  async function processOf(name: string): Promise<number> {
    const { machines } = await onHost(gantry.dataDir)
    for (const [machine, [pid = 0]] of machines)
      if ((await readSpec(machineFolderIn(gantry.dataDir, machine))).name === name) return pid
    throw new Error(`no process runs ${name}`)
  }
  const snapshotIds = new Map<string, string>()

  test(`no machine is doubled, lost or left behind, and no byte is lost, in ${lives} lives`, async () => {
    await send('POST', inProject('instances'), creation('bystander'))
    await check('the bystander')
    const before = await processOf('bystander')
    for (let life = 1; life <= lives; life++) {
      const name = `life-${life}`
      for (const step of lifeOf(name)) {
        await killDuring(step)
        if (step.what !== 'snapshot') continue
        const taken = (await items<Snapshot>('snapshots')).find((one) => one.name === name)
        snapshotIds.set(name, taken?.id ?? '')
      }
    }
    // It ran through all of that.
    expect(await processOf('bystander')).toBe(before)
  })

  test('a machine whose process is killed with the server has failed, and starts again', async () => {
    for (let round = 1; round <= lives; round++) {
      process.kill(await processOf('bystander'), 'SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, 200 * Math.random()))
      await gantry.kill('SIGKILL')
      await gantry.start()
      await eventually(look, instanceIs('bystander', 'failed'), settleMs)
      expect(instanceIs('bystander', 'failed')(await check('a crash'))).toBe(true)
      await killDuring({
        method: 'POST',
        what: 'start after a crash',
        path: act('bystander', 'start'),
        isDone: instanceIs('bystander', 'running'),
      })
    }
  })

  /** A running instance whose disk has bytes that take time to copy; returns the folder of its machine. */
  async function slowToCopy(name: string): Promise<string> {
    const volumes = () => fs.readdir(volumesIn(gantry.dataDir))
    const before = await volumes()
    await send('POST', inProject('instances'), { ...creation(name), start: false })
    const isNew = (volume: string): boolean => !volume.startsWith('.') && !before.includes(volume)
    const after = await eventually(volumes, (ids) => ids.some(isNew), settleMs)
    const file = await fs.open(volumeFileIn(gantry.dataDir, after.find(isNew) ?? ''), 'r+')
    // On a busy host, less is copied before the copy can be halted.
    for (let at = 16; at < 272; at++) await file.write(randomBytes(MiB), 0, MiB, at * MiB)
    await file.close()
    await send('POST', act(name, 'start'))
    await eventually(look, instanceIs(name, 'running'), settleMs)
    for (const machine of await fs.readdir(machinesIn(gantry.dataDir))) {
      const folder = machineFolderIn(gantry.dataDir, machine)
      if ((await readSpec(folder)).name === name) return folder
    }
    throw new Error(`no machine is ${name}`)
  }
  const isServer = async (pid: number): Promise<boolean> =>
    (await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(gantry.dataDir)

  test('a stop ends the copy of a disk, which the next server makes', async () => {
    const folder = await slowToCopy('copied')
    const body = { name: 'copied', description: '', disk: 'copied-boot' }
    const answer = send('POST', inProject('snapshots'), body).catch(() => {})
    await haltedCopy(isServer)
    await gantry.kill('SIGTERM')
    await answer
    // What it says before it ends with 0.
    await eventually(
      async () => gantry.log,
      (log) => log.includes('"msg":"stopped"'),
    )
    expect((await fs.stat(path.join(folder, 'scratch'))).size).toBe(0)
    await gantry.start()
    const isReady = ({ snapshots }: State): boolean =>
      snapshots.some((one) => one.name === 'copied' && one.state === 'ready')
    expect(isReady(await eventually(look, isReady, settleMs))).toBe(true)
    // A host of two processors has no place for a third machine, which the next test starts.
    await send('POST', act('copied', 'stop'))
    await eventually(look, instanceIs('copied', 'stopped'), settleMs)
  })

  test('an interrupted backup ends although its copy does not, which the server gives up', async () => {
    await slowToCopy('backed-up')
    const file = path.join(gantry.dataDir, 'backup.tgz')
    const backup = spawn(process.execPath, [entry, 'backup', file, '--data-dir', gantry.dataDir])
    const ended = once(backup, 'exit')
    const copying = await haltedCopy(isServer)
    backup.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    await eventually(
      () => identityOf(copying),
      (running) => running === undefined,
    )
    await expect(fs.stat(file)).rejects.toThrow('ENOENT')
  })
})
