import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'
import { fleetConformance } from '../../packages/control-plane/src/testing/fleet-conformance.ts'
import {
  type FleetWithAgents,
  guestAgentConformance,
} from '../../packages/control-plane/src/testing/fleet/guest-agent-conformance.ts'
import {
  missingForQemu,
  realFleet,
  testHost,
  volumeFileIn,
  withDemoLinux,
} from '../../packages/server/src/testing/qemu.ts'

const missing = await missingForQemu()

if (missing) console.warn(`skipped: a fleet of QEMU, ${missing}`)

const image = fileURLToPath(new URL('../../dist/demo-image.qcow2', import.meta.url))
const withoutImage =
  missing ?? (existsSync(image) ? undefined : 'there is no demo image: npm run demo-image makes it')
if (withoutImage) console.warn(`skipped: agents in guests of QEMU, ${withoutImage}`)

const open = async (): Promise<FleetWithAgents> => {
  const real = await realFleet()
  return {
    fleet: real.fleet,
    blocks: real.blocks,
    hosts: [testHost, testHost],
    restarted: () => real.restarted(),
    bootable: (spec) => real.bootable(spec),
    withAgent: (spec) => withDemoLinux(real, image, spec),
    // QEMU translates the guest's code, on a busy host.
    bootMs: 300_000,
    async machineWrites(volume, offset, bytes) {
      // As QEMU does it: to the file, past the driver.
      const file = await fs.open(volumeFileIn(real.dataDir, volume), 'r+')
      await file.write(bytes, 0, bytes.length, offset)
      await file.close()
    },
    pass: () => {},
    stop: () => real.remove(),
  }
}

describe.skipIf(missing)('a fleet of QEMU', () => {
  fleetConformance(open)
})

describe.skipIf(withoutImage)('an agent in a guest of QEMU', () => {
  guestAgentConformance(open)
})
