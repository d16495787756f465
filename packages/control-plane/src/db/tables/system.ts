import type { AlertClass } from '@gantry/api/system/alert-class.rules'
import type { AttemptResult, DeliveryState, DeliveryTrigger } from '@gantry/api/system/alert.rules'
import type { SupportBundleState } from '@gantry/api/system/support-bundle.rules'
import type { SystemIssue } from '@gantry/api/system/system'
import type { IssueKind } from '@gantry/api/system/system.rules'
import type { Defaulted, Json, JsonOrNull, Named, Tracked } from './column-types.ts'

/** An open or past issue, at its worst, of a kind whose own rows do not record when it began and ended. */
interface IssueEpisodeTable {
  id: string
  issue_id: string
  kind: IssueKind
  issue: Json<SystemIssue>
  time_began: Date
  time_ended: Defaulted<Date | null>
  /** Whether its beginning and its end were made known by alerts. */
  began_alerted: Defaulted<boolean>
  ended_alerted: Defaulted<boolean>
}
/** The acknowledgement of an open issue. It is deleted when the issue ends. */
interface IssueAcknowledgementTable {
  id: string
  issue_id: string
  note: string
  user_id: string
  /** As it was then: the user may be deleted before the issue ends. */
  user_name: string
  time_created: Date
}
interface AlertReceiverTable extends Named {
  endpoint: string
}
interface AlertSubscriptionTable {
  alert_receiver_id: string
  subscription: string
  /** Classes that were removed from the glob. */
  dropped: Json<AlertClass[]>
}
/** A silo, or one of its projects, whose activity a receiver gets. */
interface AlertActivityPlaceTable {
  id: string
  alert_receiver_id: string
  silo_id: string
  project_id: string | null
  /** Who added it: the receiver gets what this user may see. */
  silo_user_id: string
  time_created: Date
}
interface WebhookSecretTable {
  id: string
  alert_receiver_id: string
  /** Sealed. */
  secret: string
  time_created: Date
}
interface AlertTable {
  id: string
  alert_class: AlertClass
  payload: Json<Record<string, unknown>>
  /** Which schema of its class the payload has. */
  version: Defaulted<number>
  time_created: Date
  /** The condition that it tells of; null for alerts from before this was kept. */
  subject: Defaulted<string | null>
  /** Where it was caused; null for the fleet. */
  silo_id: Defaulted<string | null>
  project_id: Defaulted<string | null>
}
/** An alert on its way to a receiver; deliveries of one subject to one receiver go out in the order of `position`. */
interface AlertDeliveryTable {
  id: string
  alert_receiver_id: string
  alert_id: string
  alert_class: AlertClass
  trigger: DeliveryTrigger
  state: DeliveryState
  position: number
  /** Attempts made. */
  attempts: Defaulted<number>
  time_started: Date
  time_next: Date | null
  /** While a process is sending it. */
  lease_until: Defaulted<Date | null>
  /** As of its alert. */
  subject: Defaulted<string | null>
  silo_id: Defaulted<string | null>
  project_id: Defaulted<string | null>
  /** When its last attempt began; null before the first. */
  time_sent: Defaulted<Date | null>
}
interface AlertAttemptTable {
  alert_delivery_id: string
  attempt: number
  time_sent: Date
  result: AttemptResult
  status: number | null
  duration_ms: number | null
  request: Json<{ headers: Record<string, string>; body: string }>
  response_body: string | null
  reason: string | null
}
/** Its files are one archive in the block store. */
interface SupportBundleTable extends Tracked {
  reason_for_creation: string
  reason_for_failure: string | null
  user_comment: string | null
  state: SupportBundleState
  /** Set by each attempt to collect it. */
  content_id: string | null
  size: number | null
  files: JsonOrNull<SupportBundleFile[]>
  parts_done: Defaulted<number>
  parts_total: number
}
/** A file of a bundle, and where its bytes are in the archive. */
export interface SupportBundleFile {
  path: string
  offset: number
  size: number
}

export interface SystemTracked {
  alert_receiver: AlertReceiverTable
  support_bundle: SupportBundleTable
}

export interface SystemPlain {
  issue_episode: IssueEpisodeTable
  issue_acknowledgement: IssueAcknowledgementTable
  alert_subscription: AlertSubscriptionTable
  alert_activity_place: AlertActivityPlaceTable
  webhook_secret: WebhookSecretTable
  alert: AlertTable
  alert_delivery: AlertDeliveryTable
  alert_attempt: AlertAttemptTable
}
