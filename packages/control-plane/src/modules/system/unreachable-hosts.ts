import { issueOf, readLimit, touched, type IssueSource } from './issue.ts'

/** Hosts that the fleet cannot reach. */
export const hostIssues: IssueSource = {
  kind: 'unreachable_host',
  open: async ({ db }) => {
    const rows = await db
      .selectFrom('sled')
      .select(['id', 'serial', 'time_unreachable'])
      .where('time_unreachable', 'is not', null)
      .where('time_deleted', 'is', null)
      .orderBy('time_unreachable', 'desc')
      .orderBy('id')
      .limit(readLimit)
      .execute()
    return rows.map(({ id, serial, time_unreachable }) =>
      issueOf('unreachable_host', id, {
        severity: 'critical',
        since: time_unreachable,
        message: `Host ${serial} is unreachable. Its instances cannot be started, stopped or seen.`,
        next_step: 'Check the host and its network. Its instances can be managed again once it is reachable.',
        touches: [touched('sled', id, serial)],
      }),
    )
  },
}
