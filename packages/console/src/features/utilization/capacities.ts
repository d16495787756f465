import { bytesToGib, bytesToTib } from '#/ui/format-amounts.ts'

interface Amounts {
  cpus: number
  /** Bytes. */
  memory: number
  storage: number
}

/** One kind of what all projects share. */
export interface Capacity {
  id: keyof Amounts
  label: string
  /** In which its card tells it, of one figure and of all. */
  unit: string
  units: string
  /** CPUs or bytes. */
  provisioned: number
  quota: number
  inUnit: (amount: number) => number
}

export const capacitiesOf = (provisioned: Amounts, quota: Amounts): Capacity[] =>
  capacityKinds.map((kind) => ({ ...kind, provisioned: provisioned[kind.id], quota: quota[kind.id] }))

/** The kinds of what projects share, in the order of display. */
export const capacityKinds: readonly Omit<Capacity, 'provisioned' | 'quota'>[] = [
  { id: 'cpus', label: 'CPU', unit: 'vCPU', units: 'vCPUs', inUnit: (count) => count },
  { id: 'memory', label: 'Memory', unit: 'GiB', units: 'GiB', inUnit: bytesToGib },
  { id: 'storage', label: 'Storage', unit: 'TiB', units: 'TiB', inUnit: bytesToTib },
]

/** What a silo can still use. A quota can be lowered below what is in use already. */
export const availableIn = ({ provisioned, quota }: Pick<Capacity, 'provisioned' | 'quota'>): number =>
  Math.max(0, quota - provisioned)
