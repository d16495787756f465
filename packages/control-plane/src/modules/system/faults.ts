import type { FaultKind } from '@gantry/api/extensions.rules'
import type { SystemIssue } from '@gantry/api/system/system'
import { issueLimits } from '@gantry/api/system/system.rules'
import type { Row } from '../../db/tables.ts'
import { hoursBefore, type IssueSource, type Looking, issueOf, readLimit, touched } from './issue.ts'

const words: Record<FaultKind, { what: string; next: string }> = {
  sled_lost: {
    what: 'is unreachable, and its instances failed',
    next: 'Check its power and network, then mark it as back. Its instances can start on other sleds meanwhile.',
  },
  boot_failure: { what: 'fails at every boot', next: 'End the fault, then start the instance again.' },
  slow_boot: { what: 'boots slowly', next: 'Wait, or end the fault.' },
  update_failure: {
    what: 'fails to start new software',
    next: 'End the fault, then retry the update of the sled.',
  },
  vm_crash: { what: 'crashed', next: 'Start the instance again, or wait for the automatic restart.' },
}

type FaultRow = Row<'fault'> & {
  serial: string | null
  instance_name: string | null
  project_name: string | null
  silo_name: string | null
}

const faults = (cx: Looking) =>
  cx.db
    .selectFrom('fault')
    .leftJoin('sled', 'sled.id', 'fault.sled_id')
    .leftJoin('instance', 'instance.id', 'fault.instance_id')
    .leftJoin('project', 'project.id', 'instance.project_id')
    .leftJoin('silo', 'silo.id', 'project.silo_id')
    .selectAll('fault')
    .select([
      'sled.serial',
      'instance.name as instance_name',
      'project.name as project_name',
      'silo.name as silo_name',
    ])
    .limit(readLimit)

function view(row: FaultRow): SystemIssue {
  const { what, next } = words[row.kind]
  const touches = row.sled_id
    ? [touched('sled', row.sled_id, row.serial ?? '')]
    : [touched('instance', row.instance_id ?? '', row.instance_name ?? '', row)]
  return issueOf('fault', row.id, {
    severity: row.kind === 'slow_boot' ? 'warning' : 'critical',
    since: row.time_created,
    ended: row.time_ended,
    message: `${row.sled_id ? 'Sled' : 'Instance'} ${touches[0]?.name} ${what}.`,
    next_step: next,
    fault: { id: row.id, kind: row.kind },
    touches,
  })
}

export const faultIssues: IssueSource = {
  kind: 'fault',
  open: async (cx) => {
    const rows = faults(cx).where('fault.time_ended', 'is', null).orderBy('fault.time_created', 'desc')
    return (await rows.orderBy('fault.id').execute()).map(view)
  },
  past: async (cx) => {
    const since = hoursBefore(cx.now(), issueLimits.pastDays * 24)
    const rows = faults(cx).where('fault.time_ended', '>', since).orderBy('fault.time_ended', 'desc')
    return (await rows.orderBy('fault.id').execute()).map(view)
  },
}
