import type { AlertClass, AttemptResult, DeliveryState, DeliveryTrigger } from '@gantry/api/alert.rules'
import type { AddressLotKind, SwitchLocation } from '@gantry/api/address-lot.rules'
import type { BfdMode } from '@gantry/api/bgp.rules'
import type { TrialState, TrialSubject } from '@gantry/api/network-trial.rules'
import type { BgpPeer, SwitchPortSettings } from '@gantry/api/switch-port-settings'
import type { certificateServices } from '@gantry/api/certificate.rules'
import type { RoleName } from '@gantry/api/roles.rules'
import type { SamlAttribute } from '@gantry/api/saml-check'
import type { SecondFactorRule } from '@gantry/api/second-factor.rules'
import type { IdentityMode } from '@gantry/api/silo.rules'
import type { RunState } from '@gantry/api/instance.rules'
import type { DiskStateName } from '@gantry/api/disk'
import type { FailureReason, Refused } from '@gantry/api/extensions'
import type { ImageFormat } from '@gantry/api/image-format.rules'
import type { ImageUploadState } from '@gantry/api/image-upload.rules'
import type {
  DiskFormFactor,
  DrainItemState,
  DrainMode,
  DrainState,
  HardwarePolicy,
  HardwareState,
} from '@gantry/api/hardware.rules'
import type { FaultKind } from '@gantry/api/extensions.rules'
import type { BulkAction } from '@gantry/api/instance-action.rules'
import type { FirewallRule } from '@gantry/api/vpc-firewall'
import type { RouterRoute } from '@gantry/api/vpc-router'
import type { SystemIssue } from '@gantry/api/system'
import type { TufArtifactMeta } from '@gantry/api/update'
import type { ComponentState, UpdateKind, UpdateUploadState } from '@gantry/api/update.rules'
import type { SupportBundleState } from '@gantry/api/support-bundle.rules'
import type { IssueKind } from '@gantry/api/system.rules'
import type { ProvisioningMetric } from '@gantry/api/metric.rules'
import type { MetricBreach, MetricThreshold } from '@gantry/api/metric-query'
import type { WatchState } from '@gantry/api/metric-query.rules'
import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely'
import type { GuestFacts, GuestState } from '../fleet/simulated-guest.ts'
import type { RefusedAddress } from '../fleet/networks.ts'

/** Read as a value, written as JSON text: the two drivers differ in everything else. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
type Defaulted<T> = ColumnType<T, T | undefined, T>

/** Columns of every user-visible object, which has history, a generation and a soft delete. */
interface Tracked {
  id: string
  /** Raised by one at every change; sent as the ETag. */
  generation: Generated<number>
  time_created: Date
  time_modified: Date
  time_deleted: Defaulted<Date | null>
}
interface Named extends Tracked {
  name: string
  description: string
}

interface SiloTable extends Named {
  discoverable: boolean
  identity_mode: IdentityMode
  mapped_fleet_roles: Json<Partial<Record<RoleName, RoleName[]>>>
}
interface SiloQuotasTable {
  silo_id: string
  generation: Generated<number>
  cpus: number
  memory: number
  storage: number
}
/** Resources in use by a silo or a project (control plane reference, B 17.2). */
interface ProvisioningTable {
  id: string
  kind: 'silo' | 'project'
  cpus: Defaulted<number>
  memory: Defaulted<number>
  storage: Defaulted<number>
}
interface PersonTable extends Tracked {
  silo_id: string
  external_id: string
}
interface SiloUserPasswordTable {
  silo_user_id: string
  hash: string
  /** Set for the user, who must replace it at the next sign-in. */
  is_one_time: Defaulted<boolean>
}
interface SiloGroupMembershipTable {
  silo_group_id: string
  silo_user_id: string
}
interface ConsoleSessionTable {
  id: string
  /** SHA-256 of the cookie's value, in hex: a copy of the table opens no session. */
  token_hash: string
  silo_user_id: string
  time_created: Date
  time_last_used: Date
  /** The browser that signed in, as it identified itself, and its address. */
  user_agent: Defaulted<string | null>
  address: Defaulted<string | null>
  /** When the user last confirmed their presence, if after signing in. */
  time_confirmed: Defaulted<Date | null>
}
interface PasskeyTable {
  id: string
  silo_user_id: string
  /** Base64url, as is the public key, which is encoded as COSE. */
  credential_id: string
  public_key: string
  /** The domain it was created for. */
  rp_id: string
  /** The authenticator's signature counter; stays 0 if it has none. */
  sign_count: number
  transports: Json<string[]>
  name: string
  time_created: Date
  time_last_used: Date | null
}
/** A challenge that a passkey signs once. */
interface PasskeyChallengeTable {
  challenge_hash: string
  use: PasskeyUse
  /** The only user whose passkey is accepted; null when the passkey itself identifies the user. */
  silo_user_id: string | null
  time_expires: Date
}
/** An authenticator app. */
interface TotpTable {
  silo_user_id: string
  /** Base32, sealed. */
  secret: string
  /** The time step of the last code used: each code is valid once. */
  last_step: number
  time_created: Date
  time_last_used: Date | null
}
/** An authenticator app not yet confirmed by a code. */
interface TotpSetUpTable {
  silo_user_id: string
  secret: string
  time_expires: Date
}
interface RecoveryCodeTable {
  silo_user_id: string
  code_hash: string
}
/**
 * A sign-in that passed its first step and is pending a second factor or a new password; it grants nothing by
 * itself.
 */
interface PendingSignInTable {
  secret_hash: string
  silo_user_id: string
  /** SHA-256 of the password's hash: a password change invalidates it. */
  password_hash: string
  waits_for: Defaulted<'second_factor' | 'new_password'>
  /** Whether the second factor was verified, so that only a new password is missing. */
  factor_shown: Defaulted<boolean>
  time_created: Date
  time_expires: Date
}
/** A device awaiting approval by a user; its code without separators. */
interface DeviceAuthRequestTable {
  user_code: string
  /** SHA-256 in hex, as for sessions, of the code that the device keeps. */
  device_code_hash: string
  client_id: string
  ttl_seconds: number | null
  /** Where the device asked from, and as what, for the audit record of its approval. */
  source_ip: Defaulted<string | null>
  user_agent: Defaulted<string | null>
  /** When a user denied the device, which is still told so until its code expires. */
  time_denied: Defaulted<Date | null>
  time_created: Date
  time_expires: Date
}
interface DeviceAccessTokenTable {
  id: string
  /** Null until the device fetches the token, which works once. */
  token_hash: Defaulted<string | null>
  time_fetched: Defaulted<Date | null>
  device_code_hash: string
  client_id: string
  silo_user_id: string
  time_created: Date
  time_expires: Date
}
/** A silo without a row uses the defaults. */
interface SiloAuthSettingsTable {
  silo_id: string
  generation: number
  device_token_max_ttl_seconds: number | null
  second_factor: Defaulted<SecondFactorRule>
}
interface SamlIdentityProviderTable extends Named {
  silo_id: string
  /** The provider's metadata document at the time of its creation. */
  metadata: string
  idp_entity_id: string
  sp_client_id: string
  acs_url: string
  slo_url: string
  technical_contact_email: string
  /** DER in base64; its private key is stored separately. */
  public_cert: string | null
  group_attribute_name: string | null
}
interface SamlSigningKeyTable {
  saml_identity_provider_id: string
  private_key: string
}
/** An assertion that opened a session, kept for as long as it could be replayed. */
interface SamlUsedAssertionTable {
  saml_identity_provider_id: string
  assertion_hash: string
  time_expires: Date
}
/** A test sign-in at an identity provider, which shows its result and opens no session. */
interface SamlSignInTestTable {
  id: string
  /** SHA-256 of the secret that travels to the provider and back. */
  secret_hash: string
  /** Who started it; only this user may see the result. */
  silo_user_id: string
  saml_identity_provider_id: string
  redirect_uri: string
  time_expires: Date
  result: JsonOrNull<KeptTestResult>
}
/** What an identity provider answered to a test sign-in. */
export type KeptTestResult =
  | { outcome: 'accepted'; subject: string; groups: string[]; attributes: SamlAttribute[] }
  | { outcome: 'refused'; message: string }
/** A bucket of attempts, stored as the time at which it is full again (`work/attempts.ts`). */
interface AttemptTable {
  key: string
  full_at: Date
}
/** A secret of this installation, sealed (`context/installation-key.ts`). */
interface SigningKeyTable {
  name: string
  key: string
}
interface RoleAssignmentTable {
  resource_type: 'fleet' | 'silo' | 'project'
  resource_id: string
  identity_type: 'silo_user' | 'silo_group'
  identity_id: string
  role_name: RoleName
}
/** The assignments of one resource as a whole; the generation detects concurrent edits. */
interface PolicyTable {
  resource_type: RoleAssignmentTable['resource_type']
  resource_id: string
  generation: number
}
interface CertificateTable extends Named {
  silo_id: string
  service: (typeof certificateServices)[number]
  cert: string
}
/** Separate from its certificate, so that no history or view can expose it. */
interface CertificateKeyTable {
  certificate_id: string
  key: string
}
interface UserBuiltinTable {
  id: string
  name: string
  description: string
  time_created: Date
  time_modified: Date
  time_deleted: Date | null
}
interface ProjectTable extends Named {
  silo_id: string
}
interface VpcTable extends Named {
  project_id: string
  system_router_id: string
  ipv6_prefix: string
  dns_name: string
  /** 24-bit number of the virtual network. */
  vni: number
  /** No MAC address below it is free (`modules/network/interfaces.ts`). */
  free_macs_from: Defaulted<number>
}
interface VpcRouterTable extends Named {
  vpc_id: string
  kind: 'system' | 'custom'
}
interface RouterRouteTable extends Named {
  vpc_router_id: string
  kind: RouterRoute['kind']
  target: Json<RouterRoute['target']>
  destination: Json<RouterRoute['destination']>
  /** The subnet that a `vpc_subnet` route belongs to. */
  vpc_subnet_id: string | null
}
interface VpcSubnetTable extends Named {
  vpc_id: string
  ipv4_block: string
  /** Bounds of the block as integers, for overlap checks and allocation. */
  ipv4_first: number
  ipv4_last: number
  ipv6_block: string
  custom_router_id: string | null
  /** No IPv4 address below it is free. */
  free_ips_from: Defaulted<number>
}
interface VpcFirewallRuleTable extends Named {
  vpc_id: string
  status: FirewallRule['status']
  direction: FirewallRule['direction']
  targets: Json<FirewallRule['targets']>
  filters: Json<FirewallRule['filters']>
  action: FirewallRule['action']
  priority: number
}
/** The list of rules as a whole; the generation detects concurrent edits. */
interface VpcFirewallTable {
  vpc_id: string
  generation: number
}
interface InternetGatewayTable extends Named {
  vpc_id: string
}
interface InternetGatewayIpPoolTable extends Named {
  internet_gateway_id: string
  ip_pool_id: string
}
interface InternetGatewayIpAddressTable extends Named {
  internet_gateway_id: string
  address: string
}
interface IpPoolTable extends Named {
  /** Reserved for the rack's own services: linked to no silo, and found only by its own operations. */
  is_service: Defaulted<boolean>
}
interface IpPoolRangeTable {
  id: string
  ip_pool_id: string
  first_ip: string
  last_ip: string
  /** Sort keys for addresses of both versions, also used to detect overlaps (`ip-pool.rules.ts`). */
  first_key: string
  last_key: string
  /** Null for an IPv6 range, from which nothing is allocated. */
  first_int: number | null
  last_int: number | null
  /**
   * Positions in the range below which no whole address is free, and all free ports are listed in
   * `ip_pool_free_port` (`modules/network/free-address.ts`).
   */
  free_addresses_from: Defaulted<number>
  free_ports_from: Defaulted<number>
  time_created: Date
}
/** Ports for SNAT that are free (`modules/network/free-address.ts`). */
interface IpPoolFreePortTable {
  ip_pool_id: string
  position: number
}
interface IpPoolSiloTable {
  ip_pool_id: string
  silo_id: string
  is_default: boolean
}
interface ExternalIpTable extends Tracked {
  kind: 'snat' | 'ephemeral' | 'floating'
  /** Only floating addresses have a name, a description and a project. */
  name: string | null
  description: string | null
  project_id: string | null
  ip: string
  ip_int: number
  ip_pool_id: string
  first_port: number
  last_port: number
  instance_id: string | null
  probe_id: Defaulted<string | null>
}
interface ProbeTable extends Named {
  project_id: string
  sled_id: string
}
/** A probe of the simulated rack, with the addresses that it answers at. */
interface SimulatedProbeTable {
  id: string
  sled_id: string
  ip: string
  external_ip: string
  time_started: Date
}
interface SshKeyTable extends Named {
  silo_user_id: string
  public_key: string
}
interface InstanceTable extends Named {
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
  time_last_auto_restarted: Date | null
  failure: JsonOrNull<FailureReason>
  /** It ran until its host went down, and nobody has started or stopped it since. */
  is_interrupted: Defaulted<boolean>
  /** The VMM that runs it, if any. */
  vmm_id: string | null
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
  /** Its guest gets no time to shut down. */
  is_forced_off: Defaulted<boolean>
  /** Reboots requested so far. */
  reboots: Defaulted<number>
  /** Raised with whatever is wanted of the machine after its start. */
  revision: Defaulted<number>
  /** The revision that the fleet has accepted. */
  applied_revision: Defaulted<number>
}
/** The network of a VPC with machines, on a fleet that carries packets. */
interface VpcNetworkTable {
  vpc_id: string
  /** Of the state that is wanted; raised when its digest changes. */
  generation: Defaulted<number>
  digest: Defaulted<string>
  time_changed: Date
  /** What the fleet has in force. */
  applied_generation: Defaulted<number>
  time_applied: Defaulted<Date | null>
  problem: JsonOrNull<FailureReason>
  /** External addresses that do not work although the network is in force; null if there are none. */
  refused: JsonOrNull<RefusedAddress[]>
  /** Raised whenever a record changes that may affect it. */
  revision: Defaulted<number>
  /** Up to which it has been compared with the records. */
  seen_revision: Defaulted<number>
  /** Failures in a row, and when to try again. */
  attempts: Defaulted<number>
  retry_at: Defaulted<Date | null>
  /** Until then, one process brings it into force; each time has an id of its own. */
  lease_until: Defaulted<Date | null>
  lease_holder: Defaulted<string | null>
}
interface NetworkInterfaceTable extends Named {
  /** Of an instance or of a probe, never of both. */
  instance_id: string | null
  probe_id: Defaulted<string | null>
  vpc_id: string
  subnet_id: string
  mac_int: number
  ip: string
  ip_int: number
  slot: number
  is_primary: boolean
  transit_ips: Json<string[]>
}
interface DiskTable extends Named {
  project_id: string
  size: number
  block_size: number
  state: DiskStateName
  instance_id: string | null
  /** Its place in the machines of its instance for as long as it is attached; null otherwise (`fleet/disk-slots.ts`). */
  slot: Defaulted<number | null>
  snapshot_id: string | null
  image_id: string | null
  /** Its bytes in the block store. */
  content_id: string
  failure: JsonOrNull<FailureReason>
}
interface SnapshotTable extends Named {
  project_id: string
  disk_id: string
  size: number
  block_size: number
  state: 'creating' | 'ready' | 'faulted' | 'destroyed'
  content_id: string
  failure: JsonOrNull<FailureReason>
}
interface ImageTable extends Named {
  silo_id: string
  project_id: string | null
  os: string
  version: string
  digest: JsonOrNull<{ type: 'sha256'; value: string }>
  block_size: number
  size: number
  content_id: string
}
/** An image being uploaded, with bytes of its own until the image takes them over. */
interface ImageUploadTable extends Named {
  project_id: string
  os: string
  version: string
  block_size: number
  size: number
  state: ImageUploadState
  content_id: string
  image_id: string | null
  failure: JsonOrNull<FailureReason>
  /** As declared, or as recognised when it was completed. */
  format: ImageFormat | null
  /** The raw image that it is converted to, while it is. */
  converted_content_id: string | null
  /** Storage charged for that image. */
  converted_charge: number | null
  image_size: number | null
  percent_converted: number | null
}
/**
 * Byte ranges of an upload that are on disk; rows may touch and overlap (`modules/storage/upload-ranges.ts`).
 */
interface ImageUploadRangeTable {
  upload_id: string
  first_byte: number
  length: number
  time: Date
}
interface GroupTable extends Named {
  project_id: string
  policy: 'allow' | 'fail'
  failure_domain: 'sled'
}
interface GroupMemberTable {
  group_id: string
  instance_id: string
}
type RackTable = Tracked
/** Identifies a piece of hardware. */
interface Baseboard {
  part: string
  serial: string
  revision: number
}
interface SwitchTable extends Tracked, Baseboard {
  rack_id: string
}
interface PhysicalDiskTable extends Tracked {
  sled_id: string | null
  vendor: string
  serial: string
  model: string
  form_factor: DiskFormFactor
  policy: HardwarePolicy
  state: HardwareState
}
/** A sled detected in a slot but not yet added to the rack. */
interface UninitializedSledTable extends Baseboard {
  rack_id: string
  cubby: number
  usable_hardware_threads: number
  usable_physical_ram: number
}
interface SledDrainTable {
  id: string
  sled_id: string
  mode: DrainMode
  state: DrainState
  time_created: Date
  time_ended: Date | null
}
interface SledDrainItemTable {
  drain_id: string
  instance_id: string
  state: DrainItemState
  /** The sled it moved to. */
  sled_id: string | null
  reason: string | null
}
interface SledTable extends Tracked, Baseboard {
  rack_id: string
  /** The slot in the rack, from 0 at the bottom. */
  cubby: number
  policy: HardwarePolicy
  state: HardwareState
  usable_hardware_threads: number
  /** vCPUs that may be reserved for each of its threads; 1 of a simulated sled. */
  vcpus_per_thread: Defaulted<number>
  usable_physical_ram: number
  /** Memory set aside for instances, out of the usable RAM. */
  reservoir_size: number
  is_provisionable: boolean
  /** What runs machines on it, of a host that the fleet has found itself. */
  engine: Defaulted<string | null>
  /** Bytes for disks, of such a host. */
  storage_size: Defaulted<number | null>
  /** What of it is free, to about a hundredth. */
  storage_free: Defaulted<number | null>
  /** Since when the fleet cannot reach the host. */
  time_unreachable: Defaulted<Date | null>
}
/** One row: the fleet that the machines of this database belong to. */
interface FleetIdentityTable {
  id: Generated<number>
  driver: string
}
/** Reserved by instances; updated with each reservation, which locks this row. */
interface SledUsageTable {
  sled_id: string
  threads: Defaulted<number>
  memory: Defaulted<number>
}
interface FaultTable {
  id: string
  kind: FaultKind
  instance_id: string | null
  sled_id: string | null
  time_created: Date
  time_ended: Defaulted<Date | null>
}
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
/** Who has seen an open issue. It goes when the issue ends. */
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
/** A saved query. `silo_id` is its project's; one of the fleet has neither. */
interface MetricQueryTable extends Named {
  silo_id: string | null
  project_id: string | null
  query: string
  threshold: JsonOrNull<MetricThreshold>
}
/** The result of the latest evaluation of a query with a threshold. */
interface MetricWatchTable {
  metric_query_id: string
  state: WatchState
  /** Since when it has this state. */
  since: Date
  evaluated: Date | null
  /** When the next evaluation is due. */
  due: Date
  lease_until: Date | null
  breaches: Json<MetricBreach[]>
  problem: string | null
}
interface MetricWatchEventTable {
  id: string
  metric_query_id: string
  time: Date
  state: WatchState
  breaching: number
  /** The first of them. */
  breaches: Json<MetricBreach[]>
  problem: string | null
}
interface AlertSubscriptionTable {
  alert_receiver_id: string
  subscription: string
  /** Classes that were removed from the glob. */
  dropped: Json<AlertClass[]>
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
  time_created: Date
  /** The condition that it tells of; null for alerts from before this was kept. */
  subject: Defaulted<string | null>
  /** The project that caused it; null for the fleet. */
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
/** A VM of the simulated rack: phases that end by the clock. */
interface SimulatedVmTable {
  id: string
  sled_id: string
  instance_id: string
  phase: 'booting' | 'running' | 'migrating' | 'stopping' | 'rebooting' | 'off' | 'crashed'
  phase_since: Date
  /** When the control plane has news to collect; null if none will come on its own. */
  due_at: Date | null
  by_guest: boolean
  reason: JsonOrNull<FailureReason>
  /** Reboots carried out on request. */
  reboots: Defaulted<number>
}
interface GuestTable {
  vmm_id: string
  facts: Json<GuestFacts>
  state: Json<GuestState>
  /** Bytes written to the serial console since power on. */
  written: number
  generation: Generated<number>
}
/** The end of the serial output of an instance's last machine. */
interface LastOutputTable {
  instance_id: string
  /** When the machine ended. */
  time: Date
  data: Uint8Array
}
interface SerialChunkTable {
  vmm_id: string
  first_byte: number
  data: Uint8Array
}
/** All timeseries of one object: an instance, a sled. */
interface MetricLaneTable {
  /** Counted by the process that takes the samples; a restored database resumes where it was. */
  id: number
  source: string
  last_at: Date
}
interface TimeseriesTable {
  lane: number
  slot: number
  name: string
  fields: Json<Record<string, string | number | boolean>>
}
/** Names of which at least one sample was recorded. */
interface TimeseriesNameTable {
  name: string
  time_created: Date
}
/** One round of samples of a chunk of lanes. */
interface MetricHeadTable {
  chunk: number
  at: Date
  data: Uint8Array
}
/** The samples of one lane in a window of time: tier 0 as sampled, 1 by the minute, 2 by the hour. */
interface MetricBlockTable {
  lane: number
  tier: number
  starts: Date
  data: Uint8Array
}
/** How far upkeep has come, and which process takes the samples. */
interface MetricProgressTable {
  name: string
  until: Date
  holder: Defaulted<string | null>
}
interface ProvisionedTable {
  id: string
  metric: ProvisioningMetric
  time: Date
  value: number
}
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
}
/** One action on many instances, on behalf of the caller. */
interface InstanceActionTable {
  id: string
  silo_id: string
  project_id: string
  silo_user_id: string
  action: BulkAction
  /** Request metadata for the audit log. */
  request: Json<{
    id: string
    uri: string
    address: string
    user_agent: string | null
    credential?: Credential | undefined
  }>
  time_created: Date
  time_completed: Date | null
}
interface InstanceActionItemTable {
  action_id: string
  position: number
  instance_id: string | null
  name: string | null
  state: 'pending' | 'under_way' | 'done' | 'failed'
  error: JsonOrNull<Refused>
}
export interface CounterTable {
  name: string
  value: number
}
/** The ceremony a passkey is used in. */
export type PasskeyUse = 'create' | 'sign_in' | 'second_factor' | 'confirm'
/** How a caller authenticated. */
export type AuthMethod = 'session_cookie' | 'access_token'
export interface Credential {
  method: AuthMethod
  id: string
}
export type AuditActor =
  | { kind: 'silo_user'; silo_user_id: string; silo_id: string }
  | { kind: 'unauthenticated' }
  | { kind: 'system' }
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
  http_status_code: number
  error_code: string | null
  error_message: string | null
  /** The caller, repeated from `actor` for look-ups; of an anonymous one, the account that it named. */
  silo_user_id: Defaulted<string | null>
  /** The silo whose admins may read it; null for what only the fleet may know of. */
  silo_id: Defaulted<string | null>
  /** Details beyond the request, such as the duration of a serial console session. */
  details: JsonOrNull<Record<string, unknown>>
}
/** Separate from the audit log, with shorter retention: people type passwords into name fields. */
interface FailedSignInTable {
  id: string
  time: Date
  silo_name: string
  username: string
  /** Of the audit record, which outlives this row. */
  request_id: Defaulted<string | null>
  source_ip: string
  user_agent: string | null
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

/** Objects with a history: written only through a change (`change/change.ts`). */
interface AddressLotTable extends Named {
  kind: AddressLotKind
}
interface AddressLotBlockTable {
  id: string
  address_lot_id: string
  first_ip: string
  last_ip: string
  /** Sort keys for addresses of both versions, as of IP ranges. */
  first_key: string
  last_key: string
}
interface AddressReservationTable {
  /** The loopback address or the switch port settings. */
  holder_id: string
  address_key: string
  address_lot_id: string
  address_lot_block_id: string
  is_anycast: boolean
}
interface LoopbackAddressTable extends Tracked {
  address_lot_block_id: string
  rack_id: string
  switch_location: SwitchLocation
  address: string
}
/** A BGP peer as stored: its key is in a table of its own. */
export interface StoredPeer extends Omit<BgpPeer, 'md5_auth_key' | 'has_md5_auth_key'> {
  md5_key_id: string | null
}
/** The contents of port settings, besides their identity. */
export interface PortSettingsContents extends Omit<
  SwitchPortSettings,
  'id' | 'name' | 'description' | 'time_created' | 'time_modified' | 'bgp_peers'
> {
  bgp_peers: StoredPeer[]
}
interface SwitchPortSettingsTable extends Named {
  contents: Json<PortSettingsContents>
}
interface BgpPeerKeyTable {
  id: string
  port_settings_id: string
  /** Sealed. */
  key: string
}
interface SwitchPortTable extends Tracked {
  rack_id: string
  switch_location: SwitchLocation
  port_name: string
  port_settings_id: Defaulted<string | null>
  /** When the switch last got settings for this port. */
  time_applied: Defaulted<Date | null>
}
interface BgpAnnounceSetTable extends Named {
  announcements: Json<{ address_lot_block_id: string; network: string }[]>
}
interface BgpConfigTable extends Named {
  asn: number
  vrf: string | null
  bgp_announce_set_id: string
}
interface BfdSessionTable extends Tracked {
  switch: SwitchLocation
  remote: string
  local: string | null
  detection_threshold: number
  required_rx: number
  mode: BfdMode
}
/** A setting without a row has its default. */
interface NetworkAccessTable {
  name: 'allow-list' | 'inbound-icmp'
  generation: Defaulted<number>
  time_created: Date
  time_modified: Date
  value: Json<unknown>
}
/** A change that is reverted unless confirmed. */
interface NetworkTrialTable {
  id: string
  subject: TrialSubject
  /** The port; for the allow list, a fixed id. */
  subject_id: string
  before: Json<unknown>
  after: Json<unknown>
  /** The subject's generation after the change; any other means that it was changed since. */
  generation: number
  state: TrialState
  time_created: Date
  time_expires: Date
  time_ended: Date | null
}
export interface TrackedTables {
  silo: SiloTable
  silo_user: PersonTable
  silo_group: PersonTable
  certificate: CertificateTable
  project: ProjectTable
  vpc: VpcTable
  vpc_router: VpcRouterTable
  router_route: RouterRouteTable
  vpc_subnet: VpcSubnetTable
  vpc_firewall_rule: VpcFirewallRuleTable
  internet_gateway: InternetGatewayTable
  internet_gateway_ip_pool: InternetGatewayIpPoolTable
  internet_gateway_ip_address: InternetGatewayIpAddressTable
  ip_pool: IpPoolTable
  external_ip: ExternalIpTable
  probe: ProbeTable
  ssh_key: SshKeyTable
  saml_identity_provider: SamlIdentityProviderTable
  instance: InstanceTable
  network_interface: NetworkInterfaceTable
  disk: DiskTable
  snapshot: SnapshotTable
  image: ImageTable
  image_upload: ImageUploadTable
  affinity_group: GroupTable
  anti_affinity_group: GroupTable
  rack: RackTable
  sled: SledTable
  physical_disk: PhysicalDiskTable
  switch: SwitchTable
  alert_receiver: AlertReceiverTable
  address_lot: AddressLotTable
  loopback_address: LoopbackAddressTable
  switch_port_settings: SwitchPortSettingsTable
  switch_port: SwitchPortTable
  bgp_announce_set: BgpAnnounceSetTable
  bgp_config: BgpConfigTable
  bfd_session: BfdSessionTable
  support_bundle: SupportBundleTable
  update_trust_root: UpdateTrustRootTable
  update_repository: UpdateRepositoryTable
  update_upload: UpdateUploadTable
  metric_query: MetricQueryTable
}

/** Internal rows that users never see as objects. */
export interface PlainTables {
  silo_quotas: SiloQuotasTable
  provisioning: ProvisioningTable
  silo_user_password: SiloUserPasswordTable
  console_session: ConsoleSessionTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  totp: TotpTable
  totp_set_up: TotpSetUpTable
  recovery_code: RecoveryCodeTable
  pending_sign_in: PendingSignInTable
  device_auth_request: DeviceAuthRequestTable
  device_access_token: DeviceAccessTokenTable
  silo_auth_settings: SiloAuthSettingsTable
  saml_signing_key: SamlSigningKeyTable
  saml_used_assertion: SamlUsedAssertionTable
  saml_sign_in_test: SamlSignInTestTable
  attempt: AttemptTable
  signing_key: SigningKeyTable
  policy: PolicyTable
  certificate_key: CertificateKeyTable
  user_builtin: UserBuiltinTable
  vpc_firewall: VpcFirewallTable
  ip_pool_range: IpPoolRangeTable
  ip_pool_free_port: IpPoolFreePortTable
  ip_pool_silo: IpPoolSiloTable
  image_upload_range: ImageUploadRangeTable
  instance_ssh_key: InstanceSshKeyTable
  vmm: VmmTable
  affinity_member: GroupMemberTable
  anti_affinity_member: GroupMemberTable
  sled_usage: SledUsageTable
  uninitialized_sled: UninitializedSledTable
  sled_drain: SledDrainTable
  sled_drain_item: SledDrainItemTable
  fault: FaultTable
  fleet_identity: FleetIdentityTable
  vpc_network: VpcNetworkTable
  issue_episode: IssueEpisodeTable
  issue_acknowledgement: IssueAcknowledgementTable
  simulated_vm: SimulatedVmTable
  simulated_probe: SimulatedProbeTable
  guest: GuestTable
  serial_chunk: SerialChunkTable
  last_output: LastOutputTable
  metric_lane: MetricLaneTable
  timeseries: TimeseriesTable
  timeseries_name: TimeseriesNameTable
  metric_head: MetricHeadTable
  metric_block: MetricBlockTable
  metric_progress: MetricProgressTable
  provisioned: ProvisionedTable
  metric_watch: MetricWatchTable
  metric_watch_event: MetricWatchEventTable
  instance_action: InstanceActionTable
  instance_action_item: InstanceActionItemTable
  job: JobTable
  change: ChangeTable
  counter: CounterTable
  alert_subscription: AlertSubscriptionTable
  webhook_secret: WebhookSecretTable
  alert: AlertTable
  alert_delivery: AlertDeliveryTable
  alert_attempt: AlertAttemptTable
  audit: AuditTable
  failed_sign_in: FailedSignInTable
  refused_often: RefusedOftenTable
  address_lot_block: AddressLotBlockTable
  address_reservation: AddressReservationTable
  bgp_peer_key: BgpPeerKeyTable
  network_access: NetworkAccessTable
  network_trial: NetworkTrialTable
  target_release: TargetReleaseTable
  update_plan: UpdatePlanTable
  update_component: UpdateComponentTable
}

/** Role assignments: written only through `Change.roles`, so that no cached role outlives its revocation. */
export interface RoleTables {
  role_assignment: RoleAssignmentTable
  silo_group_membership: SiloGroupMembershipTable
}

export interface Tables extends TrackedTables, PlainTables, RoleTables {}

export type TrackedName = keyof TrackedTables
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>
export type Patch<Name extends keyof Tables> = Updateable<Tables[Name]>
