import { GiB } from '@gantry/api/bytes.rules'
import { formatBytes, formatNumber } from '../../../ui/format.ts'
import { hardwareOf, type InstanceValues } from './values.ts'

export interface Amounts {
  cpus: number
  /** Bytes. */
  memory: number
  storage: number
}

/** What the instance of the form would take of the silo's quota. Only a started one takes CPUs and memory. */
export function addedBy(values: InstanceValues): Amounts {
  const { ncpus, memoryGib } = hardwareOf(values)
  const boot = values.bootSource === 'disk' ? 0 : (values.bootDiskSize ?? 0) * GiB
  const others = values.disks.map((disk) => (disk.type === 'create' ? disk.body.size : 0))
  return {
    cpus: values.start ? ncpus : 0,
    memory: values.start ? memoryGib * GiB : 0,
    storage: others.reduce((sum, size) => sum + size, boot),
  }
}

/** What there is too little of and by how much: `4 vCPU`, `16 GiB of memory`. */
export function overQuota(used: Amounts, added: Amounts, of: Amounts): { kind: keyof Amounts; by: string }[] {
  const words = {
    cpus: (over: number) => `${formatNumber(over)} vCPU`,
    memory: (over: number) => `${formatBytes(over)} of memory`,
    storage: (over: number) => `${formatBytes(over)} of storage`,
  }
  return (['cpus', 'memory', 'storage'] as const).flatMap((kind) => {
    const over = used[kind] + added[kind] - of[kind]
    return added[kind] > 0 && over > 0 ? [{ kind, by: words[kind](over) }] : []
  })
}
