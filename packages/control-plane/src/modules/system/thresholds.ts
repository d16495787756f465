import { measuredText, thresholdText } from '@gantry/api/metrics/threshold-words.rules'
import { issueOf, readLimit, touched, type IssueSource } from './issue.ts'

/** Saved queries of the fleet whose threshold is crossed; those of projects are their own concern. */
export const thresholdIssues: IssueSource = {
  kind: 'metric_threshold',
  open: async ({ db }) => {
    const rows = await db
      .selectFrom('metric_watch')
      .innerJoin('metric_query', 'metric_query.id', 'metric_watch.metric_query_id')
      .select(['metric_query.id', 'metric_query.name', 'metric_query.query', 'metric_query.threshold'])
      .select(['metric_watch.since', 'metric_watch.breaches'])
      .where('metric_watch.state', '=', 'firing')
      .where('metric_query.project_id', 'is', null)
      .where('metric_query.time_deleted', 'is', null)
      .orderBy('metric_watch.since', 'desc')
      .orderBy('metric_query.id')
      .limit(readLimit)
      .execute()
    return rows.flatMap(({ id, name, query, threshold, since, breaches }) => {
      if (!threshold) return []
      const count = breaches.filter(({ is_firing }) => is_firing).length
      const crossed = thresholdText(threshold, measuredText(query, null, threshold.value))
      return issueOf('metric_threshold', id, {
        severity: 'warning',
        since,
        message: `Saved query ${name} has ${count} timeseries ${crossed}.`,
        next_step: 'Open the saved query to see which they are.',
        touches: [touched('metric-query', id, name)],
      })
    })
  },
}
