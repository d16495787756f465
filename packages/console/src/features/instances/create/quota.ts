import { GiB } from '@gantry/api/base/bytes.rules'
import type { Amounts } from '../fit/verdict.ts'
import { copiedDisks, hardwareOf, type InstanceValues } from './values.ts'

/**
 * The instance's use of the silo's quota. Only a started instance uses CPUs and memory. Snapshots of copied disks
 * count during creation.
 */
export function addedBy(values: InstanceValues): Amounts {
  const { ncpus, memoryGib } = hardwareOf(values)
  const boot = values.bootSource === 'disk' ? 0 : (values.bootDiskSize ?? 0) * GiB
  const others = values.disks.map((disk) => (disk.type === 'attach' ? 0 : disk.body.size))
  const snapshots = copiedDisks(values).map(({ size }) => size)
  return {
    cpus: values.start ? ncpus : 0,
    memory: values.start ? memoryGib * GiB : 0,
    storage: [...others, ...snapshots].reduce((sum, size) => sum + size, boot),
  }
}
