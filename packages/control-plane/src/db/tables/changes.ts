import type { ActivityAction } from '@gantry/api/history/activity.rules'
import type { FailureReason, Refused } from '@gantry/api/extensions'
import type { RestorationRefusal } from '@gantry/api/history/restoration'
import type { DeletionState, PlannedKind } from '@gantry/api/history/deletion.rules'
import type { FourEyesKind } from '@gantry/api/history/four-eyes.rules'
import type { ChangePlan } from '@gantry/api/history/plan'
import type { plannedMethods, SavedPlanState } from '@gantry/api/history/saved-plan.rules'
import type { OpName } from '@gantry/api/registry'
import type { DemandableKind } from '@gantry/api/tags/tag-demand.rules'
import type { Tag, TaggedKind } from '@gantry/api/tags/tag.rules'
import type { RecycledKind } from '@gantry/api/history/recycle-bin.rules'
import type { NotificationKind } from '@gantry/api/history/notification.rules'
import type { Defaulted, Json, JsonOrNull, StoredTags } from './column-types.ts'
import type { AuthMethod, Credential } from './sign-in.ts'

interface JobTable {
  id: string
  kind: string
  args: Json<Record<string, unknown>>
  state: 'pending' | 'done' | 'failed'
  run_at: Date
  lease_until: Date | null
  attempts: Defaulted<number>
  failure: JsonOrNull<FailureReason>
  time_created: Date
  time_done: Date | null
  /** Who causes it: a user, otherwise a project; empty for the platform. */
  owner: Defaulted<string>
  is_long: Defaulted<boolean>
}
/** The request that began a task, for the audit records of its steps. */
export interface TaskRequest {
  id: string
  uri: string
  address: string
  user_agent: string | null
  credential?: Credential | undefined
}
/** The deletion of an object with all that goes with it, on behalf of a user. */
interface DeletionTable {
  id: string
  kind: PlannedKind
  object_id: string
  object_name: string
  silo_id: string | null
  project_id: string | null
  silo_user_id: string
  request: Json<TaskRequest>
  /** Nothing goes into the recycle bin. */
  is_for_good: boolean
  state: DeletionState
  /** Steps done, of all. */
  done: Defaulted<number>
  total: number
  /** Instances that were told to stop. */
  waiting: Defaulted<number>
  /** Unexpected failures in a row. */
  failures: Defaulted<number>
  now: JsonOrNull<DeletionStep>
  /** The step that was refused. */
  refusal: JsonOrNull<DeletionStep & { error: Refused }>
  /** Its plan covers what existed then. */
  time_created: Date
  time_ended: Date | null
}
export interface DeletionStep {
  kind: string
  id: string
  name: string | null
}
interface ChangeTable {
  id: string
  /** Assigned by the publisher in commit order; null until then. */
  seq: number | null
  transaction_id: string
  position: number
  time: Date
  silo_id: string | null
  project_id: string | null
  kind: string
  op: 'create' | 'update' | 'delete'
  object_id: string
  name: string | null
  generation: number
  before: JsonOrNull<Record<string, unknown>>
  after: JsonOrNull<Record<string, unknown>>
  actor: Json<AuditActor>
  request_id: string | null
  operation: string
  /** What the account of activity tells of it, if it makes an entry. */
  action: Defaulted<ActivityAction | null>
  /** The record that makes the entry to which this one belongs; null if it is not told of. */
  entry_id: Defaulted<string | null>
  /** Its place among them, from 0 for what the entry is about. */
  entry_place: Defaulted<number | null>
  /** What the object is a part of or attached to, unless the same change has a record of that. */
  holder_id: Defaulted<string | null>
  /** The kind of task that it begins (`change/task.ts`). */
  task: Defaulted<string | null>
}
export type AuditActor =
  /** With the access token that acted for the user, if one did. */
  | { kind: 'silo_user'; silo_user_id: string; silo_id: string; token?: { id: string; name: string | null } }
  /** An identity provider that manages the users of a silo. */
  | { kind: 'scim'; silo_id: string; token: { id: string; name: null } }
  | { kind: 'unauthenticated' }
  /** With the schedule for which the platform acted. */
  | { kind: 'system'; schedule?: { id: string; name: string } }
interface AuditTable {
  id: string
  time_started: Date
  time_completed: Date
  request_id: string
  request_uri: string
  operation_id: string
  source_ip: string
  user_agent: string | null
  actor: Json<AuditActor>
  auth_method: AuthMethod | null
  /** The session or token; unknown of earlier records. */
  credential_id: Defaulted<string | null>
  http_status_code: number
  error_code: string | null
  error_message: string | null
  /** The caller, repeated from `actor` for look-ups; of an anonymous one, the account that it named. */
  silo_user_id: Defaulted<string | null>
  /** The silo whose admins may read it; null for what only the fleet may know of. */
  silo_id: Defaulted<string | null>
  /** The object that the request was about, once found, and its project. */
  object_kind: Defaulted<string | null>
  object_id: Defaulted<string | null>
  object_name: Defaulted<string | null>
  project_id: Defaulted<string | null>
  /** Details beyond the request, such as the duration of a serial console session. */
  details: JsonOrNull<Record<string, unknown>>
  /** What its caller can repeat (`change/sent.ts`); null for what cannot be. */
  request: JsonOrNull<SentInput>
}

/** The input of a request in the words of the newest version, without secrets. */
export interface SentInput {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  tags: StoredTags
}
/** Requests refused by rate limiting, counted by the hour. */
interface RefusedOftenTable {
  hour: Date
  operation_id: string
  source_ip: string
  /** Empty for anonymous callers. */
  silo_user_id: string
  count: number
}
/** A deleted object that can be restored (`modules/recycle-bin/`). */
interface RecycledTable {
  id: string
  kind: RecycledKind
  object_id: string
  name: string
  silo_id: string
  /** Null for a project, and for an image of the silo. */
  project_id: string | null
  /** The object that it comes back with, if that is in the bin too: a subnet's VPC. */
  parent_id: string | null
  time_deleted: Date
  time_expires: Date
  actor: Json<AuditActor>
  /** Bytes that count towards the quota. */
  storage: Defaulted<number>
  /** Its bytes, which are kept with it. */
  content_id: string | null
  /** The address that is reserved for it. */
  ip_pool_id: string | null
  ip_key: string | null
  ip: string | null
  /** What belonged to it, in terms of its kind. */
  kept: Json<Record<string, unknown>>
  /** The job that removes what it still has, once it is gone for good. */
  removal: JsonOrNull<{ job: string; args: Record<string, unknown> }>
  /** The deletion that it went with, and what that was of: they come back together. */
  deletion_id: string | null
  deletion: JsonOrNull<{ id: string; kind: PlannedKind; object_id: string; name: string }>
  /** The restoration that could not bring it back. */
  refused_by: Defaulted<string | null>
}
/** A restore of everything that one deletion took (`modules/recycle-bin/restorations/`). */
interface RestorationTable {
  id: string
  deletion_id: string
  /** What was deleted, with all the rest. */
  kind: PlannedKind
  object_id: string
  object_name: string
  /** What that is called from now on, if not as before. */
  new_name: string | null
  silo_id: string
  project_id: string | null
  silo_user_id: string
  request: Json<TaskRequest>
  state: DeletionState
  done: Defaulted<number>
  failed: Defaulted<number>
  total: number
  /** Unexpected failures in a row of the same step. */
  attempts: Defaulted<number>
  now: JsonOrNull<DeletionStep>
  /** What could not be brought back: the first of them. */
  refusals: Json<RestorationRefusal[]>
  /** What stopped it, if that was not its end. */
  refusal: JsonOrNull<DeletionStep & { error: Refused }>
  time_created: Date
  time_ended: Date | null
}
/** For how long a silo keeps what is deleted; without a row, for as long as the installation says. */
interface SiloRecycleBinTable {
  silo_id: string
  hours: number
}

/** What a user is to know of. */
interface NotificationTable {
  id: string
  silo_user_id: string
  /** Names what happened, so that each user is notified of it once. */
  key: string
  kind: NotificationKind
  time: Date
  time_read: Defaulted<Date | null>
  title: string
  message: string | null
  next_step: string | null
  object_kind: string | null
  object_id: string | null
  object_name: string | null
  silo_id: string | null
  project_id: string | null
  task_id: string | null
}
/** A kind that a user does not want to be notified of. */
interface NotificationMuteTable {
  silo_user_id: string
  kind: NotificationKind
}

/** A request with its plan, which a user may commit. */
interface SavedPlanTable {
  id: string
  /** Of its author. */
  silo_id: string
  author_id: string
  note: string | null
  operation: OpName
  method: (typeof plannedMethods)[number]
  path: string
  body: string | null
  /** Of the API, in whose shape the body is. */
  version: number
  /** Of what the request creates. */
  tags: JsonOrNull<readonly Tag[]>
  plan: Json<ChangePlan>
  /** What the request is about: decides who sees it besides the author. */
  about: JsonOrNull<SavedAbout>
  /** Open ones can have expired. */
  state: Exclude<SavedPlanState, 'expired'>
  /** Who committed or withdrew it. */
  ended_by: string | null
  time_created: Date
  time_expires: Date
  time_ended: Date | null
}
export interface SavedAbout {
  kind: string
  id: string
  name: string | null
  silo_id: string | null
  project_id: string | null
}
/** What a silo demands a second person for; nothing without a row. */
interface SiloFourEyesTable {
  silo_id: string
  kinds: FourEyesKind[]
}

interface SiloTagDemandTable {
  silo_id: string
  keys: string[]
  kinds: DemandableKind[]
  is_for_all_clients: boolean
}

/** The tags of objects that exist, by which they are found; `change/tags.ts` keeps them as their objects' rows have them. */
interface TagTable {
  object_id: string
  key: string
  value: string
  kind: TaggedKind
  /** Null for an object of the fleet. */
  silo_id: string | null
  /** The project that the object is in, or is. */
  project_id: string | null
}

export interface ChangesPlain {
  tag: TagTable
  saved_plan: SavedPlanTable
  silo_four_eyes: SiloFourEyesTable
  silo_tag_demand: SiloTagDemandTable
  recycled: RecycledTable
  silo_recycle_bin: SiloRecycleBinTable
  notification: NotificationTable
  notification_mute: NotificationMuteTable
  job: JobTable
  deletion: DeletionTable
  restoration: RestorationTable
  change: ChangeTable
  audit: AuditTable
  refused_often: RefusedOftenTable
}
