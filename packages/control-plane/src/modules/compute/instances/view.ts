import type { Instance } from '@gantry/api/compute/instance'
import { autoRestartCooldownSeconds } from '@gantry/api/compute/instance.rules'
import type { Listed } from '@gantry/control-plane/db/listed'
import type { Row } from '@gantry/control-plane/db/tables'
import { resourceView } from '@gantry/control-plane/lookup/views'

/** When the next automatic restart is allowed; null if there was none yet. A past time is kept. */
export function cooldownEnd(row: Pick<Row<'instance'>, 'time_last_auto_restarted'>): Date | null {
  const last = row.time_last_auto_restarted
  return last && new Date(last.getTime() + autoRestartCooldownSeconds * 1000)
}

export function instanceView(row: Listed<'instance'>): Instance {
  return resourceView(row, {
    project_id: row.project_id,
    ncpus: row.ncpus,
    memory: row.memory,
    hostname: row.hostname,
    boot_disk_id: row.boot_disk_id,
    cpu_platform: row.cpu_platform,
    enable_jumbo_frames: row.enable_jumbo_frames,
    run_state: row.run_state,
    time_run_state_updated: row.time_run_state_updated.toISOString(),
    auto_restart_policy: row.auto_restart_policy,
    auto_restart_enabled: row.auto_restart_policy !== 'never',
    time_last_auto_restarted: row.time_last_auto_restarted?.toISOString() ?? null,
    auto_restart_cooldown_expiration: cooldownEnd(row)?.toISOString() ?? null,
    failure: row.run_state === 'failed' || row.run_state === 'running' ? row.failure : null,
    pending: row.pending,
    ...(row.cds && { cds: row.cds }),
    ...(row.hardware && { hardware: row.hardware }),
  })
}
