/**
 * A process for tests to kill: opens the fleet in the data directory of its first argument, and changes the CDs of the
 * machine of its second one until it is killed, between those of its other arguments and none.
 */
import { realFleet } from './qemu.ts'

const [dataDir = '', machine = '', ...contents] = process.argv.slice(2)
const real = await realFleet({ dataDir })
process.stdout.write('open\n')
for (let turn = 0; ; turn++) {
  const content_id = contents[turn % (contents.length + 1)]
  const cd = content_id === undefined ? null : { name: 'cd', content_id, size: 0, boots: turn % 2 === 0 }
  await real.fleet.machines.setCds(machine, [cd, null])
}
