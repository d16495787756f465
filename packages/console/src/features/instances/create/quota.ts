import { GiB } from '@gantry/api/bytes.rules'
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
