import type { FailureReason } from '@gantry/api/extensions'
import type { FaultKind } from '@gantry/api/extensions.rules'
import type { Generated } from 'kysely'
import type { GuestFacts, GuestState } from '../../fleet/simulated-guest.ts'
import type { Defaulted, Json, JsonOrNull } from './column-types.ts'

/** A probe of the simulated rack, with the addresses that it answers at. */
interface SimulatedProbeTable {
  id: string
  sled_id: string
  ip: string
  external_ip: string
  time_started: Date
}
interface FaultTable {
  id: string
  kind: FaultKind
  instance_id: string | null
  sled_id: string | null
  time_created: Date
  time_ended: Defaulted<Date | null>
}
/** A VM of the simulated rack: phases that end by the clock. */
interface SimulatedVmTable {
  id: string
  sled_id: string
  instance_id: string
  phase: 'booting' | 'running' | 'migrating' | 'stopping' | 'rebooting' | 'off' | 'crashed'
  phase_since: Date
  /** When a report is next pending; null if only a call can cause one. */
  due_at: Date | null
  by_guest: boolean
  reason: JsonOrNull<FailureReason>
  /** Reboots carried out on request. */
  reboots: Defaulted<number>
}
interface GuestTable {
  vmm_id: string
  facts: Json<GuestFacts>
  state: Json<GuestState>
  /** Bytes written to the serial console since power on. */
  written: number
  generation: Generated<number>
}
interface SerialChunkTable {
  vmm_id: string
  first_byte: number
  data: Uint8Array
}

export interface SimulatedFleetPlain {
  fault: FaultTable
  simulated_vm: SimulatedVmTable
  simulated_probe: SimulatedProbeTable
  guest: GuestTable
  serial_chunk: SerialChunkTable
}
