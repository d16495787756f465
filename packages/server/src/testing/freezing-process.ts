/**
 * A process for tests to kill: opens the fleet in the data directory of its first argument, freezes the guest of the machine of
 * its second one, says so on stdout, and leaves it frozen.
 */
import { realFleet } from './qemu.ts'

const [, , dataDir = '', id = ''] = process.argv
const real = await realFleet({ dataDir })
await real.fleet.agents?.whileFrozen(id, async () => {
  process.stdout.write(`${(await real.fleet.agents?.view(id))?.state}\n`)
  await new Promise((resolve) => setTimeout(resolve, 600_000))
})
