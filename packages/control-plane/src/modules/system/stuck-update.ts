import { issueLimits } from '@gantry/api/system/system.rules'
import { updateKinds } from '@gantry/api/system/update.rules'
import { issueOf, type Looking, readLimit, touched, type IssueSource } from './issue.ts'

/** Components whose update failed, and sleds that instances have not left for long. */
export const updateIssues: IssueSource = {
  kind: 'stuck_update',
  open: async (look) => {
    const delayed = new Date(look.now().getTime() - issueLimits.drainMinutes * 60_000)
    const rows = await stuck(look, delayed)
    return rows.map(({ kind, hardware_id, state, reason, target, time_changed, sled, switch: other }) => {
      const serial = sled ?? other
      const what = `${updateKinds[kind].label}${serial ? ` of ${serial}` : ''}`
      return issueOf('stuck_update', `${kind}:${hardware_id}`, {
        severity: state === 'failed' ? 'critical' : 'warning',
        since: time_changed,
        message:
          state === 'failed'
            ? `${what} could not be updated to ${target}: ${reason}`
            : `${what} waits for its update to ${target}, because instances have not left the sled.`,
        next_step:
          state === 'failed'
            ? 'Find the cause, then retry the update on the page System Update.'
            : 'Open the sled to see which instances are left, and stop them or free capacity elsewhere.',
        touches: sled ? [touched('sled', hardware_id, sled)] : [],
      })
    })
  },
}

const stuck = ({ db }: Pick<Looking, 'db'>, delayed: Date) =>
  db
    .selectFrom('update_component')
    .leftJoin('sled', 'sled.id', 'update_component.hardware_id')
    .leftJoin('switch', 'switch.id', 'update_component.hardware_id')
    .selectAll('update_component')
    .select(['sled.serial as sled', 'switch.serial as switch'])
    .where((eb) =>
      eb.or([
        eb('update_component.state', '=', 'failed'),
        eb.and([eb('update_component.state', '=', 'draining'), eb('time_changed', '<', delayed)]),
      ]),
    )
    .orderBy('time_changed', 'desc')
    .orderBy('hardware_id')
    .limit(readLimit)
    .execute()
