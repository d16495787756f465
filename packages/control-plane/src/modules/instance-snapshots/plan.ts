import type { InstanceSnapshotRestorePlan } from '@gantry/api/storage/instance-snapshot'
import { nameWith } from '@gantry/api/storage/instance-snapshot.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { Refusal } from '../../context/refusal.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { fatesOf, needInstance, proposedName, refuseUnlessStopped } from './restore/begin.ts'
import { usableOf } from './settings.ts'
import { refuseUnready } from './use.ts'

/** What restoring would do now, for the question before it. */
export async function viewRestorePlan(cx: Cx, at: Selectors): Promise<InstanceSnapshotRestorePlan> {
  const { row, scope } = await need(cx, 'instance_snapshot', at, 'read')
  const { missing } = await usableOf(cx, scope.silo_id ?? '', row.settings)
  const { disks, is_restoring } = await presentOf(cx, row.instance_id)
  const unready = await problemOf(async () => refuseUnready(row))
  return {
    in_place: {
      why_not:
        unready ??
        (await problemOf(async () => refuseUnlessStopped(await needInstance(cx, row)))) ??
        (is_restoring ? 'The instance is being restored already. Wait until that is done.' : null),
      disks: fatesOf(row, disks),
      proposed_name: proposedName(cx, row),
    },
    as_new: {
      why_not: unready,
      proposed_name: nameWith(row.instance_name, `-copy-${cx.newId().slice(-6)}`),
      missing,
    },
  }
}

interface Present {
  disks: { id: string; name: string }[]
  is_restoring: boolean
}

async function presentOf({ db }: Cx, instanceId: string): Promise<Present> {
  const { rows } = await sql<Present>`SELECT
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) ORDER BY d.slot) FROM disk d
      WHERE d.instance_id = ${instanceId} AND d.time_deleted IS NULL), '[]') AS disks,
    EXISTS (SELECT FROM instance_restore WHERE instance_id = ${instanceId} AND state = 'running')
      AS is_restoring`.execute(db)
  return rows[0] ?? { disks: [], is_restoring: false }
}

async function problemOf(refuse: () => Promise<void>): Promise<string | null> {
  try {
    await refuse()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const sentence = error.message.charAt(0).toUpperCase() + error.message.slice(1)
    return error.extra.help ? `${sentence.replace(/\.$/, '')}. ${error.extra.help}` : sentence
  }
}
