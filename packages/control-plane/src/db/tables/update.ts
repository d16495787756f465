import type { FailureReason } from '@gantry/api/extensions'
import type { TufArtifactMeta } from '@gantry/api/system/update'
import type { ComponentState, UpdateKind, UpdateUploadState } from '@gantry/api/system/update.rules'
import type { Defaulted, Json, JsonOrNull, Tracked } from './column-types.ts'

/** A role of The Update Framework whose keys may sign repositories. */
interface UpdateTrustRootTable extends Tracked {
  root_role: Json<unknown>
}
/** A verified release, named by its version. */
interface UpdateRepositoryTable extends Tracked {
  name: string
  /** SHA-256 of the archive, in hexadecimal. */
  hash: string
  file_name: string
  targets_role_version: number
  valid_until: Date
  size: number
  artifacts: Json<TufArtifactMeta[]>
}
/** An archive on its way: its bytes are stored from the beginning, without gaps. */
interface UpdateUploadTable extends Tracked {
  file_name: string
  size: number
  /** Written outside changes, like the stored ranges of an image upload. */
  received: Defaulted<number>
  time_received: Date
  state: UpdateUploadState
  content_id: string
  system_version: string | null
  already_existed: Defaulted<boolean>
  failure: JsonOrNull<FailureReason>
  /** It comes as one request, and cannot be resumed. */
  is_stream: boolean
}
interface TargetReleaseTable {
  generation: number
  time_requested: Date
  system_version: string
}
/** One row, which serialises the steps of the update. */
interface UpdatePlanTable {
  id: number
  is_suspended: Defaulted<boolean>
  time_last_step: Date | null
}
/** A piece of software of the rack; without a row, it runs what came with the rack. */
interface UpdateComponentTable {
  kind: UpdateKind
  /** The sled or switch, or the rack itself. */
  hardware_id: string
  version: string | null
  /** Set while it is being updated, and when that failed. */
  state: Exclude<ComponentState, 'current' | 'pending'> | null
  target: string | null
  attempts: Defaulted<number>
  reason: string | null
  drain_id: string | null
  /** Whether the sled takes new instances again afterwards. */
  reopens: Defaulted<boolean>
  time_changed: Date
}

export interface UpdateTracked {
  update_trust_root: UpdateTrustRootTable
  update_repository: UpdateRepositoryTable
  update_upload: UpdateUploadTable
}

export interface UpdatePlain {
  target_release: TargetReleaseTable
  update_plan: UpdatePlanTable
  update_component: UpdateComponentTable
}
