import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { fleetFolder } from '../../packages/server/src/fleet/qemu/host/folders.ts'
import { readRecord } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { bundled } from '../../packages/server/src/testing/bundled.ts'
import { DISK_BYTES, pattern, type Said } from '../../packages/server/src/testing/machine-acts.ts'
import { machinesOnHost } from '../../packages/server/src/testing/on-host.ts'
import {
  machineFolderIn,
  machinesIn,
  machinesOf,
  missingForQemu,
  realFleet,
  type RealFleet,
  volumeFileIn,
  volumesIn,
} from '../../packages/server/src/testing/qemu.ts'
import { diagnosis } from './diagnosis.ts'

const missing = await missingForQemu()
if (missing) console.warn(`skipped: kills of real machines, ${missing}`)

/** Fewer during development. */
const rounds = Number(process.env['GANTRY_KILL_ROUNDS'] ?? 40)

describe.skipIf(missing)('kills of the server and of QEMU', () => {
  let program: Awaited<ReturnType<typeof bundled>>
  let dataDir: string
  const ledger = new Map<string, Said>()
  /** Machines whose process the test has killed. */
  const killed = new Set<string>()

  beforeAll(async () => {
    program = await bundled('src/testing/machine-process.ts')
    dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-fleet-'))
    const first = await realFleet({ dataDir })
    await first.driver.close()
  })
  afterAll(async () => {
    await program.remove()
    const last = await realFleet({ dataDir })
    await last.remove()
  })

  const said = (what: Said['what'], isDone?: boolean): Said[] =>
    [...ledger.values()].filter((one) => one.what === what && (isDone === undefined || one.isDone === isDone))
  const ids = (what: Said['what'], isDone?: boolean): Set<string> =>
    new Set(said(what, isDone).map(({ id }) => id))
  const processes = (): Promise<Map<string, number[]>> => machinesOnHost(dataDir)

  /** Runs the program for a while, kills a machine or none, and then the program. */
  async function runAndKill(): Promise<void> {
    const child: ChildProcess = spawn(process.execPath, [program.file, dataDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    let errors = ''
    child.stdout?.on('data', (bytes: Buffer) => (text += bytes.toString()))
    child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()))
    await eventually(
      async () => text,
      (seen) => seen !== '' || child.exitCode !== null,
      60_000,
    )
    expect(child.exitCode, errors).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 3000 * Math.random()))
    if (Math.random() < 0.3) {
      const [victim] = [...(await processes())].sort(() => Math.random() - 0.5)
      if (victim) {
        if (victim[1].map(killIfThere).includes(true)) killed.add(victim[0])
        await new Promise((resolve) => setTimeout(resolve, 100 * Math.random()))
      }
    }
    child.kill('SIGKILL')
    await once(child, 'close')
    for (const line of text.split('\n').slice(0, -1)) {
      const one = JSON.parse(line) as Said
      ledger.set(`${one.what} ${one.id}`, one)
    }
  }

  const settled: ReadonlySet<string | undefined> = new Set(['running', 'stopped', 'failed'])

  async function check(real: RealFleet): Promise<void> {
    const on = machinesOf(real)
    const listed = await real.fleet.machines.list(undefined, 1000)
    // Lost, or come back.
    const kept = [...ids('ensure', true)].filter((id) => !ids('destroy').has(id))
    expect(listed).toEqual(expect.arrayContaining(kept))
    for (const id of ids('destroy', true)) expect(listed).not.toContain(id)
    for (const id of listed) expect([...ids('ensure')]).toContain(id)
    expect((await fs.readdir(machinesIn(dataDir))).sort()).toEqual(listed)
    expect((await fs.readdir(fleetFolder(dataDir))).filter(isNoLock).sort()).toEqual([
      'copies.sock',
      'host',
      'id',
      'machines',
      'volumes',
    ])

    for (const id of listed) {
      const report = await eventually(
        () => on.report(id),
        (seen) => settled.has(seen?.state),
        60_000,
      )
      expect(killed.has(id) ? null : report?.reason).toBeNull()
      expect(ids('stop', true).has(id) && report?.state === 'running').toBe(false)
      // Each reboot happened, once.
      if (report?.state !== 'running') continue
      const reboots = await rebootsOf(id)
      await eventually(
        () => on.text(id),
        (text) => text.split('guest ready').length - 1 > reboots,
        60_000,
      ).catch(async (error: unknown) => {
        await real.driver.close()
        throw new Error(`The machine ${id} does not get ready.\n${await diagnosis(dataDir, id)}`, {
          cause: error,
        })
      })
      expect((await on.text(id)).split('guest ready').length - 1).toBe(reboots + 1)
    }
    // Doubled, or left behind.
    const running = await processes()
    for (const [id, pids] of running) expect({ id, pids: pids.length, of: listed }).toMatchObject({ pids: 1 })
    const states = await Promise.all(listed.map((id) => on.report(id)))
    const alive = listed.filter((_, index) => states[index]?.state === 'running')
    expect([...running.keys()].sort()).toEqual(alive)

    await checkBytes(real)
  }

  async function checkBytes(real: RealFleet): Promise<void> {
    const volumes = await fs.readdir(volumesIn(dataDir))
    expect(volumes.filter((name) => name.startsWith('.'))).toEqual([])
    for (const { volume = '' } of said('ensure', true)) {
      if (ids('remove').has(volume)) continue
      const file = await fs.readFile(volumeFileIn(dataDir, volume))
      expect(file).toHaveLength(DISK_BYTES)
      expect(file.subarray(pattern.offset).indexOf(pattern.of(volume))).toBe(0)
    }
    for (const volume of ids('remove', true)) expect(volumes).not.toContain(volume)
    for (const { id, volume = '', isDone } of said('snapshot')) {
      const size = await real.blocks.size(id)
      if (!isDone && size === undefined) continue
      expect(size).toBe(DISK_BYTES)
      const whole = await real.blocks.read(id, pattern.offset, pattern.of(volume).length)
      expect(pattern.of(volume).equals(whole)).toBe(true)
      await real.blocks.remove(id)
      ledger.delete(`snapshot ${id}`)
    }
  }

  const rebootsOf = async (id: string): Promise<number> =>
    (await readRecord(machineFolderIn(dataDir, id))).reboots

  test(`no machine is doubled, lost or left behind, and no byte is lost, in ${rounds} rounds`, async () => {
    for (let round = 1; round <= rounds; round++) {
      await runAndKill()
      const real = await realFleet({ dataDir })
      try {
        await check(real)
      } finally {
        await real.driver.close()
      }
    }
    const counts = new Map<string, number>()
    for (const { what, isDone } of ledger.values()) {
      const key = isDone ? what : `${what}, cut short`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    console.log(Object.fromEntries(counts), `machines killed: ${killed.size}`)
    const real = await realFleet({ dataDir })
    await real.fleet.machines.destroy(await real.fleet.machines.list(undefined, 1000))
    await real.driver.close()
    expect(await processes()).toEqual(new Map())
    expect(await fs.readdir(machinesIn(dataDir))).toEqual([])
  })
})

/** False if the program has ended it meanwhile. */
function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
    return false
  }
}

const isNoLock = (name: string): boolean => !/^lock-.*\.sock$/.test(name)
