import type { CpuPlatformName } from '@gantry/api/compute/cpu-platform.rules'
import type { FailureReason, Refused } from '@gantry/api/extensions'
import type { BulkDeletedKind } from '@gantry/api/filter/list-kinds.rules'
import type { RunAction } from '@gantry/api/compute/instance-action.rules'
import type { TemplateSettings } from '@gantry/api/compute/instance-template'
import type { TemplateField } from '@gantry/api/compute/instance-template.rules'
import type { InstanceBatchCreate } from '@gantry/api/compute/instance-batch'
import type { Tag, TaggedKind } from '@gantry/api/tags/tag.rules'
import type { InstancePending } from '@gantry/api/compute/instance'
import type { HardwareChoice } from '@gantry/api/storage/hardware'
import type { RunState } from '@gantry/api/compute/instance.rules'
import type { Defaulted, Json, JsonOrNull, Named, Protectable, StoredTags, Taggable } from './column-types.ts'
import type { Credential } from './sign-in.ts'

interface InstanceTable extends Protectable {
  project_id: string
  ncpus: number
  memory: number
  hostname: string
  user_data: string
  boot_disk_id: string | null
  run_state: RunState
  time_run_state_updated: Date
  /** The user's intent; a guest that shut itself down is not restarted. */
  intended_state: 'running' | 'stopped' | 'guest_shutdown'
  auto_restart_policy: 'never' | 'best_effort' | null
  /** The processor that its guest sees; null for what every sled has. */
  cpu_platform: Defaulted<CpuPlatformName | null>
  /** In force from a start on, while the operators allow it. */
  enable_jumbo_frames: Defaulted<boolean>
  time_last_auto_restarted: Date | null
  failure: JsonOrNull<FailureReason>
  /** What changes with its next start on request. */
  pending: JsonOrNull<InstancePending>
  /** The ids of the images in its CD drives, or null for an empty one; null if all are. */
  cds: JsonOrNull<(string | null)[]>
  /** What was selected for its machines in place of what its boot disk says. */
  hardware: JsonOrNull<HardwareChoice>
  /** It ran until its host went down, and has not been started or stopped since. */
  is_interrupted: Defaulted<boolean>
  /** The VMM that runs it, if any. */
  vmm_id: string | null
  /** Kept by `noteInterfaces`, for an index of those that have none. */
  has_interfaces: Defaulted<boolean>
}
interface InstanceSshKeyTable {
  instance_id: string
  ssh_key_id: string
}
/** One VMM on one sled, from its reservation to its end. */
interface VmmTable {
  id: string
  instance_id: string
  sled_id: string
  ncpus: number
  memory: number
  time_created: Date
  time_gone: Defaulted<Date | null>
  /** When the fleet accepted it; before that there is nothing to shut down. */
  time_started: Defaulted<Date | null>
  time_stop_requested: Defaulted<Date | null>
  /** Its machine has CD drives. */
  has_cd_drives: Defaulted<boolean>
  /** Its guest gets no time to shut down. */
  is_forced_off: Defaulted<boolean>
  /** Reboots requested so far. */
  reboots: Defaulted<number>
  /** Raised with whatever is wanted of the machine after its start. */
  revision: Defaulted<number>
  /** The revision that the fleet has accepted. */
  applied_revision: Defaulted<number>
}
interface GroupTable extends Taggable {
  project_id: string
  policy: 'allow' | 'fail'
  failure_domain: 'sled'
}
interface GroupMemberTable {
  group_id: string
  instance_id: string
}
/** What firmware and security chip of an instance's machines keep, from the first start with one of them on. */
interface InstanceFirmwareTable {
  instance_id: string
  /** The volume of its variables. */
  variables_id: string
  /** The volume of a security chip. */
  tpm_id: string
}
/** The end of the serial output of an instance's last machine. */
interface LastOutputTable {
  instance_id: string
  /** When the machine ended. */
  time: Date
  data: Uint8Array
}
/** A user who watches the screen of a machine. */
interface ScreenViewerTable {
  id: string
  vmm_id: string
  /** The user's, for the others. */
  name: string
  time_joined: Date
  /** Kept current by the process that serves it; who is not seen for a while is gone. */
  time_seen: Date
  /** Of one viewer of a machine at most. */
  has_keyboard: boolean
  /** Since when it asks for the keyboard. */
  time_asked: Defaulted<Date | null>
}
/** One action on many instances, or a deletion of many objects of another kind, on behalf of the caller. */
interface InstanceActionTable {
  id: string
  silo_id: string
  /** Null for one in several projects, or in the silo. */
  project_id: string | null
  kind: Defaulted<'instance' | BulkDeletedKind>
  /** Nothing of it goes into the recycle bin. */
  is_for_good: Defaulted<boolean>
  silo_user_id: string
  /** `tag` for an edit of tags. */
  action: RunAction | 'tag'
  /** The tags that each gets, and the keys of those that each loses. */
  tagging: JsonOrNull<{ set: Tag[]; remove: string[] }>
  /** What is created, for an action that creates. */
  creation: JsonOrNull<
    Pick<InstanceBatchCreate, 'name_pattern' | 'hostname_pattern' | 'instance'> & {
      /** Of the API, in whose shape the instance is; undefined for the base edition. */
      version?: number
    }
  >
  /** Request metadata for the audit log. */
  request: Json<{
    id: string
    uri: string
    address: string
    user_agent: string | null
    credential?: Credential | undefined
    /** The tags of what it creates. */
    created_tags?: { kinds: readonly TaggedKind[]; tags: StoredTags } | undefined
  }>
  time_created: Date
  time_completed: Date | null
  /** How its items ended, once all have. */
  done_count: Defaulted<number | null>
  failed_count: Defaulted<number | null>
  total_count: Defaulted<number | null>
  /** Since when no more of them are begun. */
  time_cancelled: Defaulted<Date | null>
}
interface InstanceActionItemTable {
  action_id: string
  position: number
  /** Of whatever kind the action is about. */
  instance_id: string | null
  name: string | null
  state: 'pending' | 'under_way' | 'done' | 'failed'
  error: JsonOrNull<Refused>
}

interface InstanceTemplateTable extends Named {
  silo_id: string
  /** Null for one of the silo. */
  project_id: string | null
  /** References are ids. */
  settings: Json<StoredSettings>
  user_data: string | null
  fixed: Json<readonly TemplateField[]>
}
/** Without what is not set. User data has a column of its own. */
export type StoredSettings = Omit<TemplateSettings, 'user_data'>

export interface ComputeTracked {
  instance: InstanceTable
  instance_template: InstanceTemplateTable
  affinity_group: GroupTable
  anti_affinity_group: GroupTable
}

export interface ComputePlain {
  instance_ssh_key: InstanceSshKeyTable
  vmm: VmmTable
  affinity_member: GroupMemberTable
  anti_affinity_member: GroupMemberTable
  last_output: LastOutputTable
  instance_firmware: InstanceFirmwareTable
  screen_viewer: ScreenViewerTable
  instance_action: InstanceActionTable
  instance_action_item: InstanceActionItemTable
}
