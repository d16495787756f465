import type { InstanceCreate, InstanceDisk } from '@gantry/api/compute/instance'
import { named, numberIn } from '@gantry/api/compute/instance-batch.rules'
import { generateName } from '@gantry/api/base/name.rules'
import { storedUp } from '@gantry/control-plane/pipeline/translate'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Row } from '@gantry/control-plane/db/tables'

/** The request that the single call of one of several instances would have had. */
export async function memberBody(
  cx: Cx,
  {
    name_pattern,
    hostname_pattern,
    instance: stored,
    version,
  }: NonNullable<Row<'instance_action'>['creation']>,
  name: string,
): Promise<InstanceCreate> {
  // What began before an update of the server can end after it.
  const instance =
    version === undefined ? await storedUp<typeof stored>('InstanceBatchMember', stored) : stored
  const number = numberIn(name_pattern, name)
  const randomHex = (digits: number): string => cx.newId().replaceAll('-', '').slice(-digits)
  const own = (disk: InstanceDisk): InstanceDisk =>
    disk.type === 'create' ? { ...disk, name: generateName(randomHex, name, disk.name) } : disk
  return {
    ...instance,
    name,
    hostname:
      typeof hostname_pattern === 'string' && number !== undefined ? named(hostname_pattern, number) : name,
    disks: instance.disks.map(own),
    boot_disk: instance.boot_disk && own(instance.boot_disk),
  }
}
