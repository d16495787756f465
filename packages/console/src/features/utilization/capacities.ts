import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '#/data/queries.ts'
import { bytesToGib, bytesToTib } from '#/ui/data/format-amounts.ts'

interface Amounts {
  cpus: number
  /** Bytes. */
  memory: number
  storage: number
}

/** One of the resources that projects share. */
export interface Capacity {
  id: keyof Amounts
  label: string
  /** The unit of its card, for a single figure and for the total. */
  unit: string
  units: string
  /** CPUs or bytes. */
  provisioned: number
  quota: number
  inUnit: (amount: number) => number
}

export const capacitiesOf = (provisioned: Amounts, quota: Amounts): Capacity[] =>
  capacityKinds.map((kind) => ({ ...kind, provisioned: provisioned[kind.id], quota: quota[kind.id] }))

/** The shared resources in display order. */
export const capacityKinds: readonly Omit<Capacity, 'provisioned' | 'quota'>[] = [
  { id: 'cpus', label: 'CPU', unit: 'vCPU', units: 'vCPUs', inUnit: (count) => count },
  { id: 'memory', label: 'Memory', unit: 'GiB', units: 'GiB', inUnit: bytesToGib },
  { id: 'storage', label: 'Storage', unit: 'TiB', units: 'TiB', inUnit: bytesToTib },
]

/** The remaining quota of a silo. A quota can be lowered below the current use. */
export const availableIn = ({ provisioned, quota }: Pick<Capacity, 'provisioned' | 'quota'>): number =>
  Math.max(0, quota - provisioned)

export const utilizationView = opQuery(op.utilizationView, {})
