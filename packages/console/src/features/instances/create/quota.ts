import { GiB } from '@gantry/api/base/bytes.rules'
import type { Amounts } from '../fit/verdict.ts'
import { copiedDisks, countOf, hardwareOf, type InstanceValues } from './values.ts'

/**
 * The use of the silo's quota by the instance, or by all of several. Only a started instance uses CPUs and memory. Snapshots of copied disks
 * count during creation.
 */
export function addedBy(values: InstanceValues): Amounts {
  const { ncpus, memoryGib } = hardwareOf(values)
  const boot = values.bootSource === 'disk' ? 0 : (values.bootDiskSize ?? 0) * GiB
  const others = values.disks.map((disk) => (disk.type === 'attach' ? 0 : disk.body.size))
  const snapshots = copiedDisks(values).map(({ size }) => size)
  const count = countOf(values)
  return {
    cpus: values.start ? count * ncpus : 0,
    memory: values.start ? count * memoryGib * GiB : 0,
    storage: count * [...others, ...snapshots].reduce((sum, size) => sum + size, boot),
  }
}
