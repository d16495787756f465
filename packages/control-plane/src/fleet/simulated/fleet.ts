import { sql } from 'kysely'
import { latestPast } from '../../context/time.ts'
import type { Fleet, DriverServices } from '../fleet.ts'
import { simulatedDriver } from '../identity.ts'
import { injectFault } from './faults.ts'
import { simulatedGuestAgents } from './guest-agents.ts'
import { simulatedMachines } from './machines.ts'
import { simulatedMeasurements } from './measurements.ts'
import { simulatedProbes } from './probes.ts'
import { resetByGuest } from './rows.ts'
import { simulatedScreens } from './screens.ts'
import { simulatedSerial } from './serial.ts'
import { blockVolumes } from './volumes.ts'

/**
 * A rack whose machines are rows: their behaviour is a function of a row and the clock, so it continues
 * unchanged after a restart, in several processes and in a browser.
 */
export function simulatedFleet(rack: DriverServices): Fleet {
  const hints = new Set<() => void>()
  const serial = simulatedSerial(rack, hints)
  const agents = simulatedGuestAgents(rack)
  return {
    driver: simulatedDriver,
    isSimulated: true,
    machines: simulatedMachines(rack, hints),
    serial,
    agents,
    screens: simulatedScreens({
      serial,
      async reset(id) {
        await resetByGuest(rack, id)
        hints.forEach((hint) => hint())
      },
    }),
    volumes: blockVolumes(rack.blocks, agents),
    measurements: simulatedMeasurements(rack),

    async repairTimes() {
      const now = rack.clock()
      const past = latestPast(now)
      await sql`UPDATE simulated_vm SET due_at = ${now}::timestamptz + (due_at - phase_since), phase_since = ${now}
        WHERE phase_since > ${past}`.execute(rack.db)
      for (const time of ['booted_at', 'last_login'])
        await sql`UPDATE guest
          SET state = state || jsonb_build_object(${time}::text, ${now.toISOString()}::text)
          WHERE (state ->> ${time}::text)::timestamptz > ${past}`.execute(rack.db)
    },

    faults: { inject: injectFault },
    probes: simulatedProbes(rack.db),
  }
}
