import {
  type FleetCapability,
  type FleetFacts,
  fleetHeader,
  fleetLacks,
} from '@gantry/api/system/fleet.rules'
import { createStore, useStore } from '#/store.ts'

/** As sent, so that an answer without news renders nothing. At first that of third-party servers, which send none. */
const facts = createStore('{"is_simulated":false,"lacks":[]}')

/** Learns the facts from a response. */
export const learnFleet = (headers: Headers): void => facts.set(headers.get(fleetHeader) ?? facts.get())

const useFleet = (): FleetFacts => JSON.parse(useStore(facts)) as FleetFacts

/** Whether instances run no real software. */
export const useSimulated = (): boolean => useFleet().is_simulated

/** Why the fleet cannot do this, if it cannot. */
export function useWhyLacking(capability: FleetCapability): string | undefined {
  return useFleet().lacks.includes(capability) ? fleetLacks[capability] : undefined
}
