import { execFile } from 'node:child_process'
import { access, readFile, rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import {
  announceShutdown,
  cancelShutdown,
  runningMachines,
} from '../../packages/server/src/fleet/qemu/host/host-shutdown.ts'
import { fleetFolder, tagFile } from '../../packages/server/src/fleet/qemu/host/folders.ts'
import { readRecord, writeRecord } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { bundled } from '../../packages/server/src/testing/bundled.ts'
import {
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
} from '../../packages/server/src/testing/qemu.ts'

const missing = await missingForQemu()
if (missing) console.warn(`skipped: shutdowns of a host, ${missing}`)

describe.skipIf(missing)('a host', () => {
  let real: RealFleet
  let on: ReturnType<typeof machinesOf>
  let folder: string
  beforeAll(async () => {
    real = await realFleet()
    on = machinesOf(real)
    folder = fleetFolder(real.dataDir)
  })
  afterAll(() => real.remove())
  afterEach(async () => {
    await cancelShutdown(folder)
    const { machines } = real.fleet
    await machines.destroy(await machines.list(undefined, 1000))
  })
  const inMs = (ms: number) => new Date(Date.now() + ms)
  const isReachable = async () => (await real.fleet.hosts?.list())?.[0]?.is_reachable

  test('that shuts down presses the power buttons, and starts nothing meanwhile', async () => {
    const [one, other] = [await on.booted(), await on.booted()]
    await announceShutdown(folder, inMs(600_000))
    for (const { id } of [one, other])
      expect(await on.becomes(id, 'failed')).toMatchObject({
        by_guest: false,
        by_host: true,
        reason: { code: 'host_shut_down' },
      })
    expect(await isReachable()).toBe(false)
    const late = machineSpec()
    await real.fleet.machines.ensure(late)
    await sleep(3000)
    expect(await on.report(late.id)).toMatchObject({ state: 'starting' })
    expect(await runningMachines(folder)).toBe(0)
    await cancelShutdown(folder)
    await on.becomes(late.id, 'running')
    expect(await isReachable()).toBe(true)
  })

  test('cuts the power of guests that take too long, and keeps what a user stopped', async () => {
    // Neither has a disk to boot, and both wait in the firmware.
    const [deaf, stopped] = [machineSpec(), machineSpec()]
    for (const spec of [deaf, stopped]) {
      await real.fleet.machines.ensure(spec)
      await on.becomes(spec.id, 'running')
    }
    await real.fleet.machines.stop(stopped.id, inMs(3000))
    await announceShutdown(folder, inMs(6000))
    expect(await on.becomes(stopped.id, 'stopped')).not.toHaveProperty('by_host')
    expect(await on.becomes(deaf.id, 'failed')).toMatchObject({ by_host: true })
  })

  test('continues to shut down after a restart of the server, until it has restarted itself', async () => {
    const { id } = await on.booted()
    await real.driver.close()
    await announceShutdown(folder, inMs(600_000))
    await real.restarted()
    expect(await on.becomes(id, 'failed')).toMatchObject({ by_host: true })
    expect(await isReachable()).toBe(false)
  })

  test('that went down without a word says so of everything that ran', async () => {
    const { id } = await on.booted()
    const pid = await on.process(id)
    await real.driver.close()
    process.kill(pid, 'SIGKILL')
    const place = machineFolderIn(real.dataDir, id)
    const record = await readRecord(place)
    const before = { ...record, revision: record.revision + 1 }
    if (before.process) before.process = { ...before.process, boot: 'the boot before' }
    await writeRecord(place, before)
    await real.restarted()
    expect(await on.becomes(id, 'failed')).toMatchObject({
      by_host: true,
      reason: { code: 'host_restarted' },
    })
  })

  describe('by the command', () => {
    let program: Awaited<ReturnType<typeof bundled>>
    beforeAll(async () => void (program = await bundled('src/gantry.ts')))
    afterAll(() => program.remove())
    const gantry = async (...words: string[]) =>
      (await promisify(execFile)(process.execPath, [program.file, 'fleet', ...words])).stdout

    test.each([
      ['while the server runs', async () => {}],
      ['without a server', () => real.driver.close()],
    ])('%s', async (_, before) => {
      const { id } = await on.booted()
      await before()
      const words = ['--data-dir', real.dataDir]
      expect(await gantry('shut-down', ...words, '--wait', '300')).toBe('1 machine is shut down\n')
      expect(await runningMachines(folder)).toBe(0)
      await gantry('continue', ...words)
      await real.restarted()
      expect(await on.report(id)).toMatchObject({ state: 'failed', by_host: true })
      await eventually(isReachable, (yes) => yes === true)
    })

    test('is cleaned of machines that run only once their data directory is gone', async () => {
      const { id } = await on.booted()
      const pid = await on.process(id)
      const clean = (...words: string[]) => gantry('clean', '--data-dir', real.dataDir, ...words)
      await expect(clean('--yes')).rejects.toThrow('is in use by process')
      await real.driver.close()
      await expect(clean('--yes')).rejects.toThrow('Machines still run: 1.')
      const tag = (await readFile(tagFile(folder), 'utf8')).trim()
      await rename(folder, `${folder}-lost`)
      const expected = new RegExp(`^Of the installation ${tag}:\\n  end running machines +${pid}\\n`)
      expect(await clean('--tag', tag, '--dry-run')).toMatch(expected)
      // There is no terminal for a question.
      await expect(clean('--tag', tag)).rejects.toThrow('confirm with --yes')
      await access(`/proc/${pid}/exe`)
      expect(await clean('--tag', tag, '--yes')).toMatch(/\nAll of it is removed\.\n$/)
      await expect(access(`/proc/${pid}/exe`)).rejects.toThrow('ENOENT')
      expect(await clean('--tag', tag, '--yes')).toBe(`Nothing of the installation ${tag} is on this host.\n`)
      await expect(clean('--yes')).rejects.toThrow('holds no installation with real machines')
      await rename(`${folder}-lost`, folder)
      await real.restarted()
      expect(await on.becomes(id, 'failed')).toMatchObject({ reason: { code: 'machine_crashed' } })
    })
  })
})
