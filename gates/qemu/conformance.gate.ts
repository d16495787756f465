import fs from 'node:fs/promises'
import { describe } from 'vitest'
import { fleetConformance } from '../../packages/control-plane/src/testing/fleet-conformance.ts'
import { missingForQemu, realFleet, testHost, volumeFileIn } from '../../packages/server/src/testing/qemu.ts'

const missing = await missingForQemu()

if (missing) console.warn(`skipped: a fleet of QEMU, ${missing}`)

describe.skipIf(missing)('a fleet of QEMU', () => {
  fleetConformance(async () => {
    const real = await realFleet()
    return {
      fleet: real.fleet,
      blocks: real.blocks,
      hosts: [testHost, testHost],
      restarted: () => real.restarted(),
      bootable: (spec) => real.bootable(spec),
      async machineWrites(volume, offset, bytes) {
        // As QEMU does it: to the file, past the driver.
        const file = await fs.open(volumeFileIn(real.dataDir, volume), 'r+')
        await file.write(bytes, 0, bytes.length, offset)
        await file.close()
      },
      pass: () => {},
      stop: () => real.remove(),
    }
  })
})
