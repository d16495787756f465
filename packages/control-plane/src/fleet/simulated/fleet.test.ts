import { describe } from 'vitest'
import { testControlPlane } from '../../testing/control-plane.ts'
import { fleetConformance } from '../../testing/fleet-conformance.ts'
import { type FleetWithAgents, guestAgentConformance } from '../../testing/fleet/guest-agent-conformance.ts'
import { simulatedFleet } from './fleet.ts'

describe('the simulated fleet', () => {
  const open = async (): Promise<FleetWithAgents> => {
    const bed = await testControlPlane({ idle: true })
    let ahead = 0
    const clock = () => new Date(Date.now() + ahead)
    const sleds = await bed.db.selectFrom('sled').select('id').orderBy('serial').execute()
    return {
      fleet: simulatedFleet({ ...bed, clock }),
      blocks: bed.blocks,
      hosts: sleds.map(({ id }) => id),
      bootable: async (spec) => spec,
      withAgent: async (spec) => spec,
      bootMs: 60_000,
      restarted: async () => simulatedFleet({ ...bed, clock }),
      machineWrites: (id, offset, bytes) => bed.blocks.write(id, offset, bytes),
      pass: (ms) => {
        ahead += ms
      },
      stop: () => bed.stop(),
    }
  }
  fleetConformance(open)
  describe('the guest agent', () => {
    guestAgentConformance(open)
  })
})
