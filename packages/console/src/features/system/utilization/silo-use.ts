import type { SiloUse } from '../queries.ts'
import { type Capacity, capacitiesOf } from '#/features/utilization/capacities.ts'

type Amounts = SiloUse['provisioned']

const none: Amounts = { cpus: 0, memory: 0, storage: 0 }

const sum = (all: readonly Amounts[]): Amounts =>
  all.reduce(
    (total, one) => ({
      cpus: total.cpus + one.cpus,
      memory: total.memory + one.memory,
      storage: total.storage + one.storage,
    }),
    none,
  )

/** The use of all silos, and the sum of their quotas. */
export const totalOf = (silos: readonly SiloUse[]): Capacity[] =>
  capacitiesOf(sum(silos.map(({ provisioned }) => provisioned)), sum(silos.map(({ allocated }) => allocated)))
