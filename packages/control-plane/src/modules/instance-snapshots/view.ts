import type { InstanceSnapshot } from '@gantry/api/storage/instance-snapshot'
import type { Row } from '../../db/tables.ts'
import { resourceView } from '../../lookup/views.ts'
import { ephemeralPoolsOf } from './settings.ts'

export function instanceSnapshotView(row: Row<'instance_snapshot'>): InstanceSnapshot {
  const { project_id, instance_id, instance_name, state, failure, consistency, size, disks } = row
  return resourceView(row, {
    project_id,
    instance_id,
    instance_name,
    state,
    failure,
    consistency,
    size,
    disks: disks.map(({ disk_id, name, size: bytes, is_boot, read_only, snapshot_id }) => ({
      disk_id,
      name,
      size: bytes,
      is_boot,
      read_only: read_only ?? false,
      snapshot_id,
    })),
    settings: settingsView(row),
  })
}

/** What people may see of the settings that an instance had. */
export function settingsView({
  settings,
  user_data,
}: Pick<Row<'instance_snapshot'>, 'settings' | 'user_data'>): InstanceSnapshot['settings'] {
  const { network_interfaces, ssh_keys, ephemeral_ip_pool: _former, ...own } = settings
  return {
    ...own,
    cpu_platform: own.cpu_platform ?? null,
    enable_jumbo_frames: own.enable_jumbo_frames ?? false,
    hardware: own.hardware ?? {},
    cds: own.cds ?? [],
    ephemeral_ip_pools: ephemeralPoolsOf(settings),
    has_user_data: user_data !== '',
    network_interfaces: network_interfaces.map(({ name, vpc, subnet, is_primary }) => ({
      name,
      vpc,
      subnet,
      is_primary,
    })),
    // Those of a user may not be known to others.
    ssh_keys: ssh_keys.length,
  }
}
