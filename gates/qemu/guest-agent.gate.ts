import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { bundled } from '../../packages/server/src/testing/bundled.ts'
import {
  machineFolderIn,
  machinesOf,
  machineSpec,
  missingForQemu,
  realFleet,
  type RealFleet,
  withDemoLinux,
} from '../../packages/server/src/testing/qemu.ts'

const image = fileURLToPath(new URL('../../dist/demo-image.qcow2', import.meta.url))
const missing =
  (await missingForQemu()) ??
  (existsSync(image) ? undefined : 'there is no demo image: npm run demo-image makes it')
if (missing) console.warn(`skipped: guests with agents, ${missing}`)

/** A boot where QEMU translates the guest's code, on a busy host. */
const bootMs = 300_000

describe.skipIf(missing)('a guest with an agent', () => {
  let program: Awaited<ReturnType<typeof bundled>>
  let real: RealFleet
  let id: string
  beforeAll(async () => {
    program = await bundled('src/testing/freezing-process.ts')
    real = await realFleet()
    const spec = await withDemoLinux(real, image, machineSpec())
    await real.fleet.machines.ensure(spec)
    ;({ id } = spec)
    await answers()
  })
  afterAll(async () => {
    await program.remove()
    await real.remove()
  })

  const answers = () =>
    eventually(
      async () => real.fleet.agents?.view(id),
      (answer) => answer?.state === 'answers',
      bootMs,
    )
  async function inShell(command: string, words: string): Promise<void> {
    const on = machinesOf(real)
    await on.type(id, `${command}\n`)
    await on.says(id, words)
  }

  test('is thawed by the next start after its server was killed', async () => {
    const marker = path.join(machineFolderIn(real.dataDir, id), 'frozen')
    await real.driver.close()
    const child = spawn(process.execPath, [program.file, real.dataDir, id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    expect(said.toString()).toBe('frozen\n')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(marker)).toBe(true)
    real = await realFleet({ dataDir: real.dataDir })
    await answers()
    expect(existsSync(marker)).toBe(false)
    await inShell('root', 'root@tested')
    await inShell('date >/root/written && sync && echo written-$((6*7))', 'written-42')
  })

  test('shuts down through it when its power button does nothing', async () => {
    await inShell('rm -r /etc/acpi && echo deaf-$((6*7))', 'deaf-42')
    await real.fleet.machines.stop(id, new Date(Date.now() + 600_000))
    // Long before the deadline, which would cut its power.
    await machinesOf(real).becomes(id, 'stopped', 120_000)
    expect(await machinesOf(real).text(id)).toContain('reboot: Power down')
  })
})
