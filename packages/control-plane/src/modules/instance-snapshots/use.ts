import { generateName } from '@gantry/api/base/name.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { InstanceCreate } from '@gantry/api/compute/instance'
import type { NewInstance } from '@gantry/api/storage/instance-snapshot'
import { instanceSnapshotAllows } from '@gantry/api/storage/instance-snapshot.rules'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { backendOf } from '../compute/instances/as-created.ts'
import { allowsJumboFrames } from '../system-network/networking-settings.ts'
import { createInstance } from '../compute/instances/create.ts'
import { usableOf } from './settings.ts'

export function refuseUnready(row: Row<'instance_snapshot'>): void {
  if (allows(instanceSnapshotAllows, 'createInstance', row.state)) return
  throw row.state === 'creating'
    ? invalid('the instance snapshot is not ready', 'Wait until it is ready.')
    : invalid('the instance snapshot is faulted', 'Choose another one.')
}

/** Creates an instance with the settings and the disks of the snapshot, as far as what they refer to exists. */
export async function createFromSnapshot(
  cx: Cx,
  at: Selectors,
  { name, hostname, start }: NewInstance,
): Promise<Row<'instance'>> {
  const { row, scope } = await need(cx, 'instance_snapshot', at, 'read')
  await need(cx, 'project', { project: row.project_id }, 'create_child')
  refuseUnready(row)
  const { settings } = row
  const {
    ssh_keys,
    affinity_groups,
    missing: _missing,
    ...usable
  } = await usableOf(cx, scope.silo_id ?? '', settings)
  const disks = row.disks.map((disk) => ({
    is_boot: disk.is_boot,
    body: {
      type: 'create',
      name: generateName((digits) => cx.newId().replaceAll('-', '').slice(-digits), name, disk.name),
      description: disk.description,
      size: disk.size,
      disk_backend: backendOf({
        type: 'snapshot',
        snapshot_id: disk.snapshot_id,
        read_only: disk.read_only ?? false,
      }),
    } as const,
  }))
  const body: InstanceCreate = {
    ...usable,
    name,
    hostname: hostname ?? name,
    description: settings.description,
    ncpus: settings.ncpus,
    memory: settings.memory,
    user_data: row.user_data,
    boot_disk: disks.find(({ is_boot }) => is_boot)?.body,
    disks: disks.flatMap(({ is_boot, body }) => (is_boot ? [] : [body])),
    ssh_public_keys: [],
    start,
    auto_restart_policy: settings.auto_restart_policy,
    cpu_platform: settings.cpu_platform,
    // What is not allowed at the moment is no reason to refuse the instance.
    enable_jumbo_frames: (settings.enable_jumbo_frames ?? false) && (await allowsJumboFrames(cx.db)),
    multicast_groups: [],
    hardware: settings.hardware,
  }
  return createInstance(cx, { project: row.project_id }, body, { keys: ssh_keys, affinity_groups })
}
