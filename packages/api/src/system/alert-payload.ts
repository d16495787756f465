import { z } from 'zod'
import { ofProjectKinds } from '../filter/list-kinds.rules.ts'
import { ActivityEntry } from '../history/activity.ts'
import { MetricBreach, MetricThreshold } from '../metrics/metric-query.ts'
import { watchStates } from '../metrics/metric-query.rules.ts'
import { named, Timestamp, Uuid } from '../schema.ts'
import { Tag } from '../tags/tag.ts'
import { isActivityClass } from './alert-class.rules.ts'
import type { ActivityClass, AlertClass, IssueClass, MetricClass } from './alert-class.rules.ts'
import { probeClass } from './alert.rules.ts'
import { SystemIssue } from './system.ts'

/** An issue that began or ended. */
export const IssueAlert = named(
  'IssueAlert',
  SystemIssue.pick({
    severity: true,
    message: true,
    next_step: true,
    touches: true,
    cause: true,
    since: true,
    ended: true,
  }),
)
export type IssueAlert = z.infer<typeof IssueAlert>

const MetricAlert = named(
  'MetricAlert',
  z.object({
    metric_query: z.object({ id: Uuid, name: z.string() }),
    /** Null for a query of the fleet. */
    project: z.object({ id: Uuid, name: z.string() }).nullable(),
    /** Of which kind of objects the query is a filter; null for a query over timeseries. */
    filter_of: z.enum(ofProjectKinds).nullable(),
    query: z.string(),
    /** Null once the query has none any more. */
    threshold: MetricThreshold.nullable(),
    is_watched: z.boolean(),
    state: z.enum(watchStates),
    breaching: z.number().int(),
    /** The first of them. */
    breaches: z.array(MetricBreach),
    problem: z.string().nullable(),
    time: Timestamp,
  }),
)
export type MetricAlert = z.infer<typeof MetricAlert>

const ProbeAlert = named('ProbeAlert', z.object({}))

/** What `data` holds in the alerts of each class. */
const ActivityAlert = named(
  'ActivityAlert',
  z.object({
    ...ActivityEntry.shape,
    /** Of the object that it is about, after the change; before it, if it was deleted. */
    tags: z.array(Tag),
  }),
)
export type ActivityAlert = z.infer<typeof ActivityAlert>

export type PayloadOf<Class extends AlertClass> = Class extends IssueClass
  ? IssueAlert
  : Class extends MetricClass
    ? MetricAlert
    : Class extends ActivityClass
      ? ActivityAlert
      : Record<string, never>

export const alertPayloads = { ProbeAlert, IssueAlert, MetricAlert, ActivityAlert } as const
export type AlertPayload = keyof typeof alertPayloads

/** The number of each schema, which a change that readers could notice raises. */
const payloadVersions: Readonly<Record<AlertPayload, number>> = {
  ProbeAlert: 1,
  IssueAlert: 1,
  MetricAlert: 1,
  ActivityAlert: 1,
}
export const payloadVersionOf = (name: AlertClass): number => payloadVersions[payloadOf(name)]

export function payloadOf(name: AlertClass): AlertPayload {
  if (name === probeClass) return 'ProbeAlert'
  if (isActivityClass(name)) return 'ActivityAlert'
  return name.startsWith('issue.') ? 'IssueAlert' : 'MetricAlert'
}
