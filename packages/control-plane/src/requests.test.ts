import { auditPageTokenMax } from '@gantry/api/audit'
import { instanceChangeTokenMax } from '@gantry/api/instance-change'
import { instanceChangeSorts } from '@gantry/api/instance-change.rules'
import { timeAndIdSorts } from '@gantry/api/audit.rules'
import { deviceGrantType } from '@gantry/api/device.rules'
import { descriptionMaxLength } from '@gantry/api/name.rules'
import { isRead, type Operation } from '@gantry/api/op'
import { listSorts } from '@gantry/api/list.rules'
import { accessPageTokenMax } from '@gantry/api/permission'
import { accessSorts } from '@gantry/api/permission.rules'
import { pageTokenMax } from '@gantry/api/schema'
import { sortedPageTokenMax } from '@gantry/api/sorted-list'
import { operationId, type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAlert } from './testing/alerts.ts'
import { bareSettings, furnishNetwork } from './testing/rack-network.ts'
import { type Answer, type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'

/** A well-formed request; what it names need not exist. */
interface Case {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: Record<string, string>
}

const GiB = 1024 ** 3
const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const project = { project: 'playground' }
const named = { name: 'new-one', description: '' }
const instance = { path: { instance: 'nobody' }, query: project }
const disk = { path: { disk: 'nobody' }, query: project }
const floating = { path: { floating_ip: 'nobody' }, query: project }
const nic = { path: { interface: 'nobody' }, query: { ...project, instance: 'paging' } }
const silo = { silo: 'demo' }
const atSilo = { path: { silo_name: 'demo' } }
const assertion = { credential_id: 'x', client_data: 'x', authenticator_data: 'x', signature: 'x' }
const newPasskey = { name: 'x', credential_id: 'x', client_data: 'x', attestation: 'x', transports: [] }
const atProvider = { path: { silo_name: 'demo', provider_name: 'nobody' } }
const together = { path: { affinity_group: 'nobody' }, query: project }
const togetherMember = { path: { ...together.path, instance: 'nobody' }, query: project }
const apart = { path: { anti_affinity_group: 'nobody' }, query: project }
const apartMember = { path: { ...apart.path, instance: 'nobody' }, query: project }
const inVpc = { ...project, vpc: 'default' }

const inRouter = { ...inVpc, router: 'system' }
const inGateway = { ...inVpc, gateway: 'default' }
const subnet = { path: { subnet: 'nobody' }, query: inVpc }
const router = { path: { router: 'nobody' }, query: inVpc }
const route = { path: { route: 'nobody' }, query: inRouter }
const gateway = { path: { gateway: 'nobody' }, query: inVpc }
const pool = { path: { pool: 'nobody' } }
const sled = { path: { sled_id: id } }
const lot = { path: { address_lot: 'nobody' } }
const announceSet = { path: { announce_set: 'nobody' } }
const switchPort = { path: { port: 'qsfp0' }, query: { rack_id: id, switch_location: 'switch0' } }
const anyAddress = { type: 'allow_list', allowed_ips: { allow: 'any' } }
const range = { first: '10.0.0.1', last: '10.0.0.9' }
const savedQuery = { path: { metric_query: 'nobody' }, query: project }
const probe = { path: { probe: 'nobody' }, query: project }
const receiver = { path: { receiver: 'nobody' } }
const bundle = { path: { bundle_id: id } }
const atRelease = { path: { system_version: '9.9.9' } }
const trustRoot = { path: { trust_root_id: id } }
const repositoryUpload = { path: { upload_id: id } }
const bundleFile = { path: { ...bundle.path, file: 'jobs.json' } }
const inTime = { start_time: '2025-01-01T00:00:00Z' }
const ends = { destination: { type: 'ip', value: '10.0.0.1' }, target: { type: 'drop' } }

const anHour = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-01T01:00:00Z' }
const aQuery = 'get virtual_disk:bytes_read | filter timestamp > @now() - 1m'

/** One per operation: a new operation without a case does not compile. */
const cases: Record<OpName, Case> = {
  affinityGroupCreate: { query: project, body: { ...named, policy: 'allow', failure_domain: 'sled' } },
  affinityGroupDelete: together,
  affinityGroupList: { query: project },
  affinityGroupMemberInstanceAdd: togetherMember,
  affinityGroupMemberInstanceDelete: togetherMember,
  affinityGroupMemberInstanceView: togetherMember,
  affinityGroupMemberList: together,
  affinityGroupUpdate: { ...together, body: { description: 'x' } },
  affinityGroupView: together,
  antiAffinityGroupCreate: { query: project, body: { ...named, policy: 'allow', failure_domain: 'sled' } },
  antiAffinityGroupDelete: apart,
  antiAffinityGroupList: { query: project },
  antiAffinityGroupMemberInstanceAdd: apartMember,
  antiAffinityGroupMemberInstanceDelete: apartMember,
  antiAffinityGroupMemberInstanceView: apartMember,
  antiAffinityGroupMemberList: apart,
  antiAffinityGroupSizeList: { query: project },
  affinityGroupSizeList: { query: project },
  antiAffinityGroupUpdate: { ...apart, body: { description: 'x' } },
  antiAffinityGroupView: apart,
  certificateCreate: { body: { ...named, cert: 'c', key: 'k', service: 'external_api' } },
  certificateDelete: { path: { certificate: 'nobody' } },
  certificateList: {},
  certificateView: { path: { certificate: 'nobody' } },
  alertClassList: { query: { filter: 'issue.**' } },
  alertDeliveryList: receiver,
  alertDeliveryResend: { path: { alert_id: id }, query: receiver.path },
  alertDeliveryView: { path: { delivery_id: id } },
  alertReceiverDelete: receiver,
  alertReceiverHealthList: {},
  alertReceiverList: {},
  alertReceiverProbe: { ...receiver, query: { resend: 'true' } },
  alertReceiverSubscriptionAdd: { ...receiver, body: { subscription: 'issue.**' } },
  alertReceiverSubscriptionRemove: { path: { ...receiver.path, subscription: 'issue.**' } },
  alertReceiverView: receiver,
  webhookReceiverCreate: {
    body: { ...named, endpoint: 'https://hook.example', secrets: ['s'], subscriptions: [] },
  },
  webhookReceiverUpdate: { ...receiver, body: { description: 'x' } },
  webhookSecretsAdd: { query: receiver.path, body: { secret: 's' } },
  webhookSecretsDelete: { path: { secret_id: id } },
  webhookSecretsList: { query: receiver.path },
  auditLogList: { query: inTime },
  auditRecordList: { query: { ...inTime, operation: 'instance_create', result: 'success' } },
  auditRecordView: { path: { record_id: id } },
  siloAuditRecordList: { query: { ...inTime, whole: 'true' } },
  siloAuditRecordView: { path: { record_id: id } },
  authSettingsUpdate: { body: { device_token_max_ttl_seconds: 3600 } },
  authSettingsView: {},
  changeStream: {},
  confirmationChallenge: {},
  confirmationCreate: { body: { kind: 'password', password: 'x' } },
  currentUserAccessTokenDelete: { path: { token_id: id } },
  currentUserAccessTokenList: {},
  currentUserGroups: {},
  currentUserPasswordChange: { body: { old_password: 'not the old one', password: 'battery staple' } },
  currentUserPasswordView: {},
  currentUserSessionDelete: { path: { session_id: id } },
  currentUserSessionDeleteOthers: {},
  currentUserSessionList: {},
  currentUserSshKeyCreate: { body: { ...named, public_key: 'ssh-ed25519 AAAA' } },
  currentUserSshKeyDelete: { path: { ssh_key: 'nobody' } },
  currentUserSshKeyList: {},
  currentUserSshKeyView: { path: { ssh_key: 'nobody' } },
  currentUserView: {},
  deviceAccessToken: { form: { grant_type: deviceGrantType, device_code: 'x', client_id: id } },
  deviceAuthConfirm: { body: { user_code: 'BCDFGHJK' } },
  deviceAuthRequest: { form: { client_id: id, ttl_seconds: '60' } },
  diskCreate: {
    query: project,
    body: { ...named, size: GiB, disk_source: { type: 'blank', block_size: 512 } },
  },
  diskBulkWriteImport: { ...disk, body: { offset: 0, base64_encoded_data: '' } },
  diskBulkWriteImportStart: disk,
  diskBulkWriteImportStop: disk,
  diskDelete: disk,
  diskFinalizeImport: { ...disk, body: { snapshot_name: 'new-one' } },
  diskList: { query: project },
  diskSortedList: { query: project },
  diskView: disk,
  faultInject: { body: { kind: 'vm_crash', instance_id: id } },
  faultList: {},
  faultRemove: { path: { fault_id: id } },
  fleetAccessView: {},
  fleetUserList: { query: { name: 'a' } },
  floatingIpAttach: { ...floating, body: { kind: 'instance', parent: 'nobody' } },
  floatingIpCreate: { query: project, body: { ...named, ip: '10.0.0.1', pool: 'nowhere' } },
  floatingIpDelete: floating,
  floatingIpDetach: floating,
  floatingIpList: { query: project },
  floatingIpUpdate: { ...floating, body: { description: 'x' } },
  floatingIpView: floating,
  groupAccessList: {},
  groupEffectiveRoles: { path: { group_id: id }, query: project },
  groupList: {},
  groupView: { path: { group_id: id } },
  imageCreate: {
    query: project,
    body: { ...named, os: 'Linux', version: '1', source: { type: 'snapshot', id } },
  },
  imageDelete: { path: { image: 'nobody' }, query: project },
  imageDemote: { path: { image: 'nobody' }, query: project },
  imageList: {},
  imagePromote: { path: { image: 'nobody' }, query: project },
  imageUploadComplete: { path: { upload: id } },
  imageUploadCreate: {
    query: project,
    body: { ...named, os: 'Linux', version: '1', block_size: 512, size: 512 },
  },
  imageUploadDelete: { path: { upload: id } },
  imageUploadList: { query: project },
  imageUploadView: { path: { upload: id } },
  imageUploadWrite: { path: { upload: id }, query: { offset: '0' } },
  imageUploadZeros: { path: { upload: id }, body: { ranges: [{ offset: 0, length: 512 }] } },
  imageView: { path: { image: 'nobody' } },
  instanceActionCreate: { query: project, body: { action: 'stop', instances: ['nobody'] } },
  instanceActionList: { query: project },
  instanceActionView: { path: { action: id } },
  instanceAffinityGroupList: instance,
  instanceAntiAffinityGroupList: instance,
  instanceChangeList: { ...instance, query: { ...instance.query, ...inTime } },
  instanceCreate: { query: project, body: { ...named, ncpus: 1, memory: GiB, hostname: 'new-one' } },
  instanceDelete: instance,
  instanceDiskAttach: { ...instance, body: { disk: 'nobody' } },
  instanceDiskDetach: { ...instance, body: { disk: 'nobody' } },
  instanceDiskList: instance,
  instanceEphemeralIpAttach: { ...instance, body: { pool: 'nowhere' } },
  instanceEphemeralIpDetach: instance,
  instanceExternalIpList: instance,
  instanceFirewallRuleList: instance,
  instanceList: { query: project },
  instanceNetworkInterfaceCreate: {
    query: { ...project, instance: 'nobody' },
    body: { ...named, vpc_name: 'default', subnet_name: 'default', transit_ips: ['10.0.0.0/8'] },
  },
  instanceNetworkInterfaceDelete: nic,
  instanceNetworkInterfaceList: { query: { ...project, instance: 'nobody' } },
  instanceNetworkInterfaceUpdate: { ...nic, body: { description: 'x', transit_ips: [] } },
  instanceNetworkInterfaceView: { path: { interface: 'net0' }, query: { ...project, instance: 'nobody' } },
  instanceReboot: instance,
  instanceSerialConsole: { ...instance, query: { ...project, from_start: '0' } },
  instanceSerialConsoleStream: instance,
  instanceSortedList: { query: project },
  instanceSshPublicKeyList: instance,
  instanceStart: instance,
  instanceStop: instance,
  instanceUpdate: { ...instance, body: { ncpus: 1, memory: GiB } },
  instanceView: instance,
  internetGatewayCreate: { query: inVpc, body: named },
  internetGatewayDelete: gateway,
  internetGatewayIpAddressCreate: { query: inGateway, body: { ...named, address: '10.0.0.1' } },
  internetGatewayIpAddressDelete: { path: { address: 'nobody' }, query: inGateway },
  internetGatewayIpAddressList: { query: inGateway },
  internetGatewayIpPoolCreate: { query: inGateway, body: { ...named, ip_pool: 'nowhere' } },
  internetGatewayIpPoolDelete: { path: { pool: 'nobody' }, query: inGateway },
  internetGatewayIpPoolList: { query: inGateway },
  internetGatewayList: { query: inVpc },
  internetGatewayView: gateway,
  ipPoolAddressList: pool,
  ipPoolCreate: { body: named },
  ipPoolDelete: pool,
  ipPoolList: {},
  ipPoolRangeAdd: { ...pool, body: range },
  ipPoolRangeList: pool,
  ipPoolRangeRemove: { ...pool, body: range },
  ipPoolServiceRangeAdd: { body: range },
  ipPoolServiceRangeList: {},
  ipPoolServiceRangeRemove: { body: range },
  ipPoolServiceView: {},
  ipPoolSiloLink: { ...pool, body: { ...silo, is_default: false } },
  ipPoolSiloList: pool,
  ipPoolSiloUnlink: { path: { ...pool.path, ...silo } },
  ipPoolSiloUpdate: { path: { ...pool.path, ...silo }, body: { is_default: true } },
  ipPoolUpdate: { ...pool, body: { description: 'x' } },
  ipPoolUseList: {},
  ipPoolUtilizationView: pool,
  ipPoolView: pool,
  physicalDiskList: {},
  physicalDiskView: { path: { disk_id: id } },
  networkFabricView: {},
  networkImpactView: { body: anyAddress },
  networkTrialConfirm: { path: { trial_id: id } },
  networkTrialCreate: { body: anyAddress },
  networkTrialList: {},
  networkTrialRevert: { path: { trial_id: id } },
  networkingAddressLotBlockList: lot,
  networkingAddressLotCreate: { body: { ...named, kind: 'infra', blocks: [] } },
  networkingAddressLotDelete: lot,
  networkingAddressLotList: {},
  networkingAddressLotView: lot,
  networkingAllowListUpdate: { body: { allowed_ips: { allow: 'any' } } },
  networkingAllowListView: {},
  networkingBfdDisable: { body: { switch: 'switch0', remote: '192.0.2.1' } },
  networkingBfdEnable: {
    body: {
      switch: 'switch0',
      remote: '192.0.2.1',
      detection_threshold: 3,
      required_rx: 1000,
      mode: 'single_hop',
    },
  },
  networkingBfdStatus: {},
  networkingBgpAnnounceSetDelete: announceSet,
  networkingBgpAnnounceSetList: {},
  networkingBgpAnnounceSetUpdate: { body: { ...named, announcement: [] } },
  networkingBgpAnnouncementList: announceSet,
  networkingBgpConfigCreate: { body: { ...named, asn: 64_512, bgp_announce_set_id: 'nobody' } },
  networkingBgpConfigDelete: { query: { name_or_id: 'nobody' } },
  networkingBgpConfigList: {},
  networkingBgpExported: {},
  networkingBgpImportedRoutesIpv4: { query: { asn: '64512' } },
  networkingBgpMessageHistory: { query: { asn: '64512' } },
  networkingBgpStatus: {},
  networkingInboundIcmpUpdate: { body: { enabled: true } },
  networkingInboundIcmpView: {},
  networkingLoopbackAddressCreate: {
    body: {
      address_lot: 'nobody',
      rack_id: id,
      switch_location: 'switch0',
      address: '192.0.2.1',
      mask: 32,
      anycast: false,
    },
  },
  networkingLoopbackAddressDelete: {
    path: { rack_id: id, switch_location: 'switch0', address: '192.0.2.1', subnet_mask: '32' },
  },
  networkingLoopbackAddressList: {},
  networkingSwitchPortApplySettings: { ...switchPort, body: { port_settings: 'nobody' } },
  networkingSwitchPortClearSettings: switchPort,
  networkingSwitchPortList: {},
  networkingSwitchPortLldpConfigUpdate: { ...switchPort, body: { id, enabled: true } },
  networkingSwitchPortLldpConfigView: switchPort,
  networkingSwitchPortLldpNeighbors: {
    path: { rack_id: id, switch_location: 'switch0', port: 'qsfp0' },
  },
  networkingSwitchPortSettingsCreate: { body: bareSettings('new-one') },
  networkingSwitchPortSettingsDelete: { query: { port_settings: 'nobody' } },
  networkingSwitchPortSettingsList: {},
  networkingSwitchPortSettingsView: { path: { port: 'nobody' } },
  networkingSwitchPortStatus: switchPort,
  rackList: {},
  rackView: { path: { rack_id: id } },
  sledAdd: { body: { serial: 'x', part: 'x' } },
  sledDrainCancel: { path: { drain_id: id } },
  sledDrainCreate: { ...sled, body: { mode: 'move' } },
  sledDrainList: sled,
  sledDrainView: { path: { drain_id: id } },
  sledInstanceList: sled,
  sledList: {},
  sledListUninitialized: {},
  sledPhysicalDiskList: sled,
  sledSetProvisionPolicy: { ...sled, body: { state: 'provisionable' } },
  sledUseList: {},
  sledView: sled,
  switchList: {},
  switchView: { path: { switch_id: id } },
  systemCapacityView: {},
  systemIssueList: { query: { state: 'open', kind: 'fault' } },
  systemOverviewView: {},
  localIdpUserCreate: {
    query: silo,
    body: { external_id: 'new-one', password: { mode: 'login_disallowed' } },
  },
  localIdpUserDelete: { path: { user_id: id }, query: silo },
  localIdpUserSetPassword: {
    path: { user_id: id },
    query: silo,
    body: { mode: 'password', value: 'correct horse' },
  },
  loginMethodView: { path: { silo_name: 'demo' } },
  loginSaml: atProvider,
  loginSamlBegin: atProvider,
  loginSiloList: {},
  loginNewPassword: { ...atSilo, body: { password: 'battery staple' } },
  loginPasskey: { ...atSilo, body: assertion },
  loginPasskeyChallenge: { ...atSilo, body: { use: 'second_factor' } },
  loginPasskeyCreate: { ...atSilo, body: newPasskey },
  loginPasskeySetUp: atSilo,
  loginRecoveryCode: { ...atSilo, body: { code: 'x' } },
  loginTotp: { ...atSilo, body: { code: '000000' } },
  loginTotpCreate: { ...atSilo, body: { code: '000000' } },
  loginTotpSetUp: atSilo,
  loginLocal: { path: { silo_name: 'demo' }, body: { username: 'nobody', password: 'x' } },
  logout: {},
  passkeyCreate: { body: newPasskey },
  passkeyDelete: { path: { passkey_id: id } },
  passkeySetUp: {},
  passkeyUpdate: { path: { passkey_id: id }, body: { name: 'x' } },
  permissionCheck: { body: { checks: [{ action: 'read', object: 'fleet' }] } },
  ping: {},
  placementCheck: { query: project, body: { ncpus: 1, memory: GiB } },
  policyUpdate: { body: { role_assignments: [] } },
  policyView: {},
  probeCreate: { query: project, body: { ...named, sled: id, ip_pool: 'nowhere' } },
  probeDelete: probe,
  probeList: { query: project },
  probeStatusList: { query: project },
  probeView: probe,
  projectCreate: { body: named },
  projectDelete: { path: { project: 'nobody' } },
  projectIpPoolList: {},
  projectIpPoolView: { path: { pool: 'nobody' } },
  projectList: {},
  projectPolicyUpdate: { path: { project: 'nobody' }, body: { role_assignments: [] } },
  projectPolicyView: { path: { project: 'nobody' } },
  projectUpdate: { path: { project: 'nobody' }, body: { description: 'x' } },
  projectView: { path: { project: 'nobody' } },
  recoveryCodesCreate: {},
  samlIdentityProviderCreate: {
    query: silo,
    body: {
      ...named,
      idp_metadata_source: { type: 'base64_encoded_xml', data: '' },
      idp_entity_id: 'https://idp.example',
      sp_client_id: 'gantry',
      acs_url: 'https://gantry.example/acs',
      slo_url: 'https://gantry.example/slo',
      technical_contact_email: 'nobody@example.com',
    },
  },
  samlIdentityProviderView: { path: { provider: 'nobody' }, query: silo },
  samlMetadataCheck: {
    query: silo,
    body: { idp_metadata_source: { type: 'base64_encoded_xml', data: '' } },
  },
  samlSignInTestBegin: { path: { provider: 'nobody' }, query: silo, body: { redirect_uri: '/' } },
  samlSignInTestView: { path: { test_id: id } },
  secondFactorSettingsUpdate: { body: { second_factor: 'optional' } },
  secondFactorSettingsView: {},
  secondFactorView: {},
  search: { query: { text: 'a' } },
  siloCertificateCreate: { path: silo, body: { ...named, cert: 'c', key: 'k', service: 'external_api' } },
  siloCertificateDelete: { path: { ...silo, certificate: 'nobody' } },
  siloCertificateList: { path: silo },
  siloCreate: {
    body: {
      ...named,
      discoverable: true,
      identity_mode: 'local_only',
      quotas: { cpus: 1, memory: GiB, storage: GiB },
      tls_certificates: [],
      admin_group_name: 'admins',
      mapped_fleet_roles: {},
    },
  },
  siloDelete: { path: { silo: 'nobody' } },
  siloIpPoolList: { path: { silo: 'demo' } },
  siloList: {},
  siloPersonList: { path: silo, query: { name: 'a' } },
  siloProjectList: { path: silo },
  siloPolicyUpdate: { path: { silo: 'nobody' }, body: { role_assignments: [] } },
  siloPolicyView: { path: { silo: 'nobody' } },
  siloQuotasUpdate: { path: { silo: 'nobody' }, body: { cpus: 1, memory: GiB, storage: GiB } },
  siloQuotasView: { path: { silo: 'nobody' } },
  siloUserInvite: { path: silo, body: { external_id: 'invited-one' } },
  siloUserList: { query: { silo: 'demo' } },
  siloUserView: { path: { user_id: id }, query: { silo: 'demo' } },
  siloUtilizationList: {},
  siloUtilizationView: { path: { silo: 'nobody' } },
  siloView: { path: { silo: 'nobody' } },
  siloIdentityProviderList: { query: silo },
  snapshotCreate: { query: project, body: { ...named, disk: 'nobody' } },
  snapshotDelete: { path: { snapshot: 'nobody' }, query: project },
  snapshotList: { query: project },
  snapshotSortedList: { query: project },
  snapshotView: { path: { snapshot: 'nobody' }, query: project },
  systemPolicyUpdate: { body: { role_assignments: [] } },
  systemPolicyView: {},
  systemQuotasList: {},
  totpCreate: { body: { code: '000000' } },
  totpDelete: {},
  totpSetUp: {},
  userAccessList: { query: { silo: 'demo', name: 'a' } },
  userBuiltinList: {},
  userPasswordReset: { path: { user_id: id }, query: silo },
  userSessionsEnd: { path: { user_id: id }, query: silo },
  userBuiltinView: { path: { user: 'nobody' } },
  userEffectiveRoles: { path: { user_id: id }, query: project },
  userList: {},
  userLogout: { path: { user_id: id } },
  userSecondFactorReset: { path: { user_id: id } },
  userSecondFactorView: { path: { user_id: id } },
  userSessionList: { path: { user_id: id } },
  userTokenList: { path: { user_id: id } },
  userView: { path: { user_id: id } },
  systemUpdateGetRepository: atRelease,
  systemUpdatePutRepository: { query: { file_name: 'gantry.zip' } },
  systemUpdateTrustRootCreate: { body: { signed: {}, signatures: [] } },
  systemUpdateTrustRootDelete: trustRoot,
  systemUpdateTrustRootList: {},
  systemUpdateTrustRootView: trustRoot,
  targetReleaseUpdate: { body: { system_version: '9.9.9' } },
  targetReleaseView: {},
  updateRepositoryDelete: atRelease,
  updateRepositoryList: {},
  updateResume: {},
  updateRetry: {},
  updateStatusView: {},
  updateSuspend: {},
  updateUploadComplete: repositoryUpload,
  updateUploadCreate: { body: { file_name: 'gantry.zip', size: 1024 } },
  updateUploadDelete: repositoryUpload,
  updateUploadList: {},
  updateUploadView: repositoryUpload,
  updateUploadWrite: { ...repositoryUpload, query: { offset: '0' } },
  supportBundleCreate: { body: { user_comment: 'slow disks' } },
  supportBundleDelete: bundle,
  supportBundleDetailView: bundle,
  supportBundleDownload: bundle,
  supportBundleDownloadFile: bundleFile,
  supportBundleHead: bundle,
  supportBundleHeadFile: bundleFile,
  supportBundleIndex: bundle,
  supportBundleList: {},
  supportBundleStatusList: {},
  supportBundleUpdate: { ...bundle, body: { user_comment: 'slow disks' } },
  supportBundleView: bundle,
  metricQueryCreate: {
    query: project,
    body: { ...named, query: aQuery, threshold: { comparison: 'above', value: 1, for_seconds: 60 } },
  },
  metricQueryDelete: savedQuery,
  metricQueryHistory: savedQuery,
  metricQueryList: { query: project },
  metricQueryUpdate: { ...savedQuery, body: { description: 'x' } },
  metricQueryView: savedQuery,
  prometheusMetrics: {},
  siloMetric: { path: { metric_name: 'cpus_provisioned' }, query: anHour },
  systemMetric: { path: { metric_name: 'cpus_provisioned' }, query: anHour },
  systemTimeseriesQuery: { body: { query: aQuery } },
  systemTimeseriesSchemaList: {},
  timeseriesQuery: { query: project, body: { query: aQuery } },
  utilizationView: {},
  vpcCreate: { query: project, body: { ...named, dns_name: 'new-one', ipv6_prefix: 'fd00::/48' } },
  vpcDelete: { path: { vpc: 'nobody' }, query: project },
  vpcFirewallRulesUpdate: { query: inVpc, body: { rules: [] } },
  vpcFirewallRulesView: { query: inVpc },
  vpcFirewallSizeList: { query: project },
  vpcList: { query: project },
  vpcPacketCheck: {
    query: inVpc,
    body: {
      from: { type: 'internet' },
      to: { type: 'ip', value: '10.0.0.1' },
      packet: { type: 'tcp', port: 22 },
    },
  },
  vpcRouterCreate: { query: inVpc, body: named },
  vpcRouterDelete: router,
  vpcRouterList: { query: inVpc },
  vpcRouterRouteCreate: { query: inRouter, body: { ...named, ...ends } },
  vpcRouterRouteDelete: route,
  vpcRouterRouteList: { query: inRouter },
  vpcRouterRouteUpdate: { ...route, body: ends },
  vpcRouterRouteView: route,
  vpcRouterUpdate: { ...router, body: { description: 'x' } },
  vpcRouterView: router,
  vpcSubnetCreate: { query: inVpc, body: { ...named, ipv4_block: '10.0.0.0/24', ipv6_block: 'fd00::/64' } },
  vpcSubnetDelete: subnet,
  vpcSubnetList: { query: inVpc },
  vpcSubnetListNetworkInterfaces: { path: { subnet: 'default' }, query: inVpc },
  vpcSubnetUpdate: { ...subnet, body: { description: 'x' } },
  vpcSubnetView: subnet,
  vpcUpdate: { path: { vpc: 'nobody' }, query: project, body: { description: 'x' } },
  vpcView: { path: { vpc: 'nobody' }, query: project },
}

const all = Object.keys(ops) as OpName[]
const opOf = (name: OpName): Operation => ops[name]

function urlOf(name: OpName, { path = {}, query = {} }: Case = cases[name]): string {
  const filled = opOf(name).path.replace(/\{(\w+)\}/g, (_, key: string) => path[key] ?? '')
  const search = new URLSearchParams(query).toString()
  return search ? `${filled}?${search}` : filled
}

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

function send(
  who: Caller,
  name: OpName,
  given: Case = cases[name],
  headers: Record<string, string> = {},
  url = urlOf(name, given),
): Promise<Answer> {
  const { form, body } = given
  return form
    ? who.call(opOf(name).method, url, new URLSearchParams(form).toString(), { ...formType, ...headers })
    : who.call(opOf(name).method, url, body, headers)
}

const notBegun = 'the sign-in has ended or was never started'
/** Expected responses to anonymous callers of open operations, except success. */
const anonymously: Partial<Record<OpName, [status: number, message: string]>> = {
  deviceAccessToken: [400, 'authorization_pending'],
  loginLocal: [401, 'credentials missing or invalid'],
  loginNewPassword: [401, notBegun],
  loginPasskey: [400, 'passkeys cannot be used here'],
  loginPasskeyChallenge: [401, notBegun],
  loginPasskeyCreate: [401, notBegun],
  loginPasskeySetUp: [401, notBegun],
  loginRecoveryCode: [401, notBegun],
  loginTotp: [401, notBegun],
  loginTotpCreate: [401, notBegun],
  loginTotpSetUp: [401, notBegun],
  loginSaml: [400, 'unable to parse URL-encoded body: missing field `SAMLResponse`'],
  loginSamlBegin: [404, 'not found: identity-provider with name "nobody"'],
}

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern)

/** What all refusals have in common. */
function expectRefusal(answer: Answer, status: number, message: string | RegExp): void {
  expect({ status: answer.status, message: answer.body?.message }).toEqual({
    status,
    message: typeof message === 'string' ? message : like(message),
  })
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  expect(answer.body.request_id).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(answer.body.help, 'a refusal says what to do').toMatch(/\.$/)
  expect(answer.headers.get('content-type')).toBe('application/json')
}

/** OAuth defines its own error format. */
const expectOauth = (answer: Answer, status: number, error: string): void =>
  expect([answer.status, answer.body]).toEqual([status, { error }])

/** A request that could not be parsed: no code, whoever the caller. */
function expectUnreadable(answer: Answer, message: string | RegExp): void {
  expectRefusal(answer, 400, message)
  expect(answer.body).not.toHaveProperty('error_code')
}

/** Everything that a refusal could have left behind. */
async function traces(): Promise<unknown> {
  const tables = [
    'change',
    'job',
    'project',
    'instance',
    'disk',
    'snapshot',
    'image_upload',
    'ssh_key',
    'vpc',
    'fault',
    'metric_query',
  ] as const
  const counts: Record<string, unknown> = {}
  for (const table of tables) {
    const rows = await bed.db
      .selectFrom(table as 'change')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = rows.count
  }
  return counts
}

async function leavesNoTrace(run: () => Promise<void>): Promise<void> {
  const before = await traces()
  await run()
  expect(await traces()).toEqual(before)
}

describe.each(all)('%s', (name) => {
  const op = opOf(name)
  /** A caller whose requests are parsed. */
  const reader = (): Caller => (op.anonymous ? bed.anonymous : admin)

  test('requires authentication before anything else', async () => {
    expect.hasAssertions()
    await leavesNoTrace(async () => {
      const answer = await send(bed.anonymous, name)
      if (op.transport === 'websocket') return expectUnreadable(answer, 'expected connection upgrade')
      const said = anonymously[name]
      if (said) return op.encoding === 'form' ? expectOauth(answer, ...said) : expectRefusal(answer, ...said)
      if (!op.anonymous) return expectRefusal(answer, 401, 'credentials missing or invalid')
      expect(answer.status).toBe(op.status)
    })
  })

  if (!op.anonymous && op.transport !== 'websocket')
    test('does not parse what an anonymous caller sends', async () => {
      const path = Object.fromEntries(Object.keys(cases[name].path ?? {}).map((key) => [key, 'Not_A_Name']))
      const url = `${urlOf(name, { path }).split('?')[0]}?limit=x`
      const unread = new ReadableStream({
        pull() {
          throw new Error('the body of a stranger was read')
        },
      })
      const { method } = op
      const body = isRead(method) ? {} : { body: unread, duplex: 'half' as const }
      const request = new Request(`http://localhost${url}`, { method, ...body })
      const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
      expect([response.status, await response.json()]).toMatchObject([401, { error_code: 'Unauthorized' }])
    })

  test('accepts only its own methods', async () => {
    const same = all.filter((other) => opOf(other).path === op.path).map((other) => opOf(other).method)
    for (const method of ['PATCH', 'HEAD', 'OPTIONS'].filter((each) => !same.some((own) => own === each))) {
      const answer = await bed.anonymous.call(method, urlOf(name))
      expectRefusal(answer, 405, 'Method Not Allowed')
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(same.sort())
    }
  })

  test('matches despite extra slashes, but not with an extra segment', async () => {
    const [path = '', search = ''] = urlOf(name).split('?')
    const strange = `${path.replaceAll('/', '//')}/?${search}`
    const [plain, sloppy] = [
      await send(bed.anonymous, name),
      await send(bed.anonymous, name, cases[name], {}, strange),
    ]
    expect(sloppy.status).toBe(plain.status)
    expectRefusal(await bed.anonymous.call(op.method, `${path}/x/y`), 404, 'Not Found')
  })

  if (op.path.includes('{') && op.transport !== 'websocket')
    test('validates its path before its query and body', async () => {
      expect.hasAssertions()
      const bad = async (text: string) => {
        const path = Object.fromEntries(Object.keys(cases[name].path ?? {}).map((key) => [key, text]))
        return send(reader(), name, { ...cases[name], path })
      }
      expectUnreadable(await bad('%zz'), 'Bad Request')
      for (const text of [
        'Upper',
        '-dash',
        'a%00b',
        'a%20b',
        '%25',
        "'%20OR%201=1--",
        'a'.repeat(64),
        '%ED%A0%80',
      ])
        expectUnreadable(await bad(text), /^(bad parameter in URL path: |Bad Request)/)
    })

  const { body, query, form } = cases[name]
  if (form)
    test('validates its form first, and accepts no JSON', async () => {
      expect.hasAssertions()
      const post = (text: string, type = formType['content-type']) =>
        reader().call(op.method, urlOf(name), text, { 'content-type': type })
      await leavesNoTrace(async () => {
        expectUnreadable(
          await post(JSON.stringify(form), 'application/json'),
          'expected content type "application/x-www-form-urlencoded", got "application/json"',
        )
        expectUnreadable(await post(''), /^unable to parse URL-encoded body: missing field `\w+`$/)
        expectUnreadable(await post('client_id=%00'), /^unable to parse URL-encoded body: /)
        expectUnreadable(
          await post('x'.repeat(op.bodyMax + 1)),
          `request body exceeded maximum size of ${op.bodyMax} bytes`,
        )
        for (const field of Object.keys(form)) {
          const { [field]: _, ...rest } = form
          if (op.body?.safeParse(rest).success) continue
          expectUnreadable(
            await post(new URLSearchParams(rest).toString()),
            `unable to parse URL-encoded body: missing field \`${field}\``,
          )
        }
      })
    })

  if (body) {
    const sent = (text: string, headers: Record<string, string> = {}) =>
      reader().call(op.method, urlOf(name), text, headers)

    test('validates its body before any effect', async () => {
      expect.hasAssertions()
      await leavesNoTrace(async () => {
        for (const text of ['{', '{"a":}', 'nonsense', '{"a":"\u0001"}', '{} {}'])
          expectUnreadable(
            await sent(text),
            /^unable to parse JSON body: expected value at line \d+ column \d+$/,
          )
        expectUnreadable(
          await sent(''),
          'unable to parse JSON body: EOF while parsing a value at line 1 column 0',
        )
        for (const [text, kind] of [
          ['[]', 'sequence'],
          ['null', 'null'],
          ['7', 'integer `7`'],
          ['"x"', 'string "x"'],
          ['true', 'boolean `true`'],
        ] as const)
          expectUnreadable(
            await sent(text),
            `unable to parse JSON body: invalid type: ${kind}, expected a map at line 1 column ${text.length}`,
          )
        expectUnreadable(
          await sent(JSON.stringify(body), { 'content-type': 'text/plain; charset=utf-8' }),
          'expected content type "application/json", got "text/plain"',
        )
        expectUnreadable(
          await sent(`{"x":"${'x'.repeat(op.bodyMax)}"}`),
          `request body exceeded maximum size of ${op.bodyMax} bytes`,
        )
        const depth = Math.floor((op.bodyMax - 100) / 2)
        // Nested values of unknown keys are skipped, however deep.
        for (const key of ['x', ...Object.keys(body)]) {
          const nested = `{${JSON.stringify(key)}:${'['.repeat(depth)}"\\u0061"${']'.repeat(depth)}}`
          expectUnreadable(
            await sent(nested),
            /^unable to parse JSON body: recursion limit exceeded at line 1/,
          )
        }
      })
    })

    test('reports what is wrong with each field', async () => {
      expect.hasAssertions()
      for (const [field, value] of Object.entries(body)) {
        const without: Record<string, unknown> = { ...body, [field]: undefined }
        if (!op.body?.safeParse(without).success)
          expectUnreadable(
            await sent(JSON.stringify(without)),
            new RegExp(`^unable to parse JSON body: missing field \`${field}\` at line 1 column \\d+$`),
          )
        const wrong = typeof value === 'string' ? 7 : 'x'
        const said = typeof value === 'string' ? 'integer `7`' : 'string "x"'
        expectUnreadable(
          await sent(JSON.stringify({ ...body, [field]: wrong })),
          new RegExp(
            `^unable to parse JSON body: ${field}: invalid type: ${said}, expected .+ at line 1 column \\d+$`,
          ),
        )
        if (typeof value === 'string') {
          for (const text of ['a\0b', '\ud800', '\udfff\ud800'])
            expectUnreadable(
              await sent(JSON.stringify({ ...body, [field]: text })),
              /^unable to parse JSON body: /,
            )
        } else if (typeof value === 'number') {
          for (const number of ['-1', '1.5', '1e400', '9223372036854775808', '1e308'])
            expectUnreadable(
              await sent(
                JSON.stringify({ ...body, [field]: 0 }).replace(`"${field}":0`, `"${field}":${number}`),
              ),
              new RegExp(`^unable to parse JSON body: ${field}: .+ at line 1`),
            )
        }
      }
    })
  }

  if (query && op.transport !== 'websocket')
    test('validates its query before any effect', async () => {
      expect.hasAssertions()
      const first = urlOf(name).split('?')[0]
      for (const key of Object.keys(op.query.shape)) {
        const nul = new URLSearchParams({ ...query, [key]: 'a\0' })
        expectUnreadable(
          await reader().call(op.method, `${first}?${nul}`, body),
          /^unable to parse query string: /,
        )
      }
      for (const key of op.requiredOnFirstPage) {
        const others = op.requiredOnFirstPage.filter((other) => other !== key)
        const rest = new URLSearchParams(others.map((other) => [other, query[other] ?? '']))
        expectUnreadable(
          await reader().call(op.method, others.length > 0 ? `${first}?${rest}` : String(first), body),
          `unable to parse query string: missing field \`${key}\``,
        )
      }
      if (query.project)
        expectUnreadable(
          await send(reader(), name, { ...cases[name], query: { ...query, project: 'Not_A_Name' } }),
          'unable to parse query string: project: data did not match any variant of untagged enum NameOrId',
        )
    })
})

test('an upgrade is validated and authorised like every request', async () => {
  expect.hasAssertions()
  const upgrade = async (path: string, { cookie }: Caller = admin): Promise<Answer> => {
    const request = new Request(`http://localhost${path}`, { headers: cookie ? { cookie } : {} })
    const response = await bed.plane.upgrade(request, { address: '' })
    if (!(response instanceof Response)) throw new Error('the upgrade was taken')
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const at = '/v1/instances/nobody/serial-console/stream'
  for (const path of [`${at}?project=playground`, at.replace('nobody', 'Bad')])
    expectRefusal(await upgrade(path, bed.anonymous), 401, 'credentials missing or invalid')
  expectUnreadable(await upgrade('/v1/me'), 'unexpected protocol for upgrade')
  expectUnreadable(await upgrade(at.replace('nobody', 'Bad')), /^bad parameter in URL path: /)
  expectUnreadable(await upgrade(`${at}?most_recent=-1`), /^unable to parse query string: most_recent: /)
  expectRefusal(await upgrade('/v1/nothing'), 404, 'Not Found')
})

test('every operation has a case, and every case an operation', () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(ops).sort())
})

const lists = all.filter((name) => opOf(name).sorts)
/** Created once, so that every list has content. */
const sample: Record<string, string> = {
  instance: 'paging',
  affinity_group: 'paging',
  anti_affinity_group: 'paging',
  pool: 'external',
}
beforeAll(async () => {
  await addAlert(bed.db, 'pager')
  sample.receiver = 'pager'
  await furnishNetwork(admin)
  sample.address_lot = 'uplinks'
  sample.user_id = (await admin.get('/v1/me')).body.id
  sample.sled_id = (await admin.get('/v1/system/hardware/sleds')).body.items[0].id
})
beforeAll(async () => {
  for (const name of ['paging-a', 'paging-b'])
    await admin.post('/v1/me/ssh-keys', { name, description: '', public_key: 'k' })
  const made = await admin.post('/v1/instances?project=playground', {
    name: 'paging',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'paging',
    start: false,
    disks: ['one', 'two'].map((name) => ({
      type: 'create',
      name,
      description: '',
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    })),
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  for (const family of ['affinity', 'anti-affinity']) {
    const body = { name: 'paging', description: '', policy: 'allow', failure_domain: 'sled' }
    await admin.post(`/v1/${family}-groups?project=playground`, body)
    await admin.post(`/v1/${family}-groups/paging/members/instance/paging?project=playground`)
  }
  for (const name of ['paging-a', 'paging-b'])
    await admin.post('/ext/v1/metric-queries?project=playground', { name, description: '', query: aQuery })
})

/** Tokens that contain more than a name and an id. */
const longestToken = new Map<unknown, number>([
  [listSorts, sortedPageTokenMax],
  [accessSorts, accessPageTokenMax],
  [timeAndIdSorts, auditPageTokenMax],
  [instanceChangeSorts, instanceChangeTokenMax],
])

describe.each(lists)('%s as a list', (name) => {
  const op = opOf(name)
  const url = (more: Record<string, string>): string => {
    const { path, query } = cases[name]
    const there = (given: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(given).map(([key, value]) => [key, sample[key] ?? value]))
    return urlOf(name, { path: there(path), query: { ...there(query), ...more } })
  }

  test('accepts a limit of at least one, and caps it at the maximum', async () => {
    for (const limit of [
      '0',
      '-1',
      'abc',
      '',
      ' 5',
      '1e3',
      '0x10',
      '+5',
      '1.0',
      '4294967296',
      '9'.repeat(40),
    ])
      expectUnreadable(await admin.get(url({ limit })), /^unable to parse query string: limit: /)
    for (const limit of ['1', '20000', '4294967295', '007'])
      expect((await admin.get(url({ limit }))).status).toBe(200)
  })

  test('accepts only its own sort modes', async () => {
    for (const sort_by of op.sorts ?? []) expect((await admin.get(url({ sort_by }))).status).toBe(200)
    expectUnreadable(
      await admin.get(url({ sort_by: 'size_descending' })),
      /^unable to parse query string: sort_by: (unknown variant `size_descending`, expected )/,
    )
  })

  test('pages to an empty last page without a token, in every order', async () => {
    for (const sort_by of op.sorts ?? []) {
      const whole = await admin.get(url({ sort_by }))
      const seen: unknown[] = []
      let page = await admin.get(url({ sort_by, limit: '1' }))
      while (page.body.items.length > 0) {
        seen.push(...page.body.items)
        expect(page.body.next_page).toMatch(/./)
        // A token needs no other parameters.
        const [bare = ''] = url({}).split('?')
        page = await admin.get(`${bare}?limit=1&page_token=${encodeURIComponent(page.body.next_page)}`)
        expect(page.status, JSON.stringify(page.body)).toBe(200)
      }
      expect(page.body.next_page).toBe(null)
      expect(seen).toEqual(whole.body.items)
    }
  })

  test('refuses a foreign token', async () => {
    expect.hasAssertions()
    const longest = longestToken.get(op.sorts) ?? pageTokenMax
    const token = (marker: unknown): string =>
      btoa(JSON.stringify(marker)).replaceAll('+', '-').replaceAll('/', '_')
    const good = { v: 1, op: operationId(name), sort: 'id_ascending', selectors: project, last: id }
    const bad = [
      'x',
      '%',
      '____',
      btoa('\xff\xfe'),
      ...[
        null,
        7,
        [],
        { ...good, v: 2 },
        { ...good, op: 'other_list' },
        { ...good, last: 'not-an-id' },
        { ...good, last: "'; DROP TABLE project; --" },
        { ...good, last: 7 },
        { ...good, last: null },
        { ...good, sort: 'name_ascending', last: op.sorts?.includes('name_ascending') ? id : 'a' },
        { ...good, sort: 'name; DROP TABLE project' },
        { ...good, sort: '__proto__' },
        { ...good, selectors: null },
        { ...good, selectors: { project: { $ne: 1 } } },
        { ...good, selectors: { project: 'a\0b' } },
        { ...good, selectors: 'playground' },
      ].map(token),
    ]
    for (const page_token of bad) {
      const answer = await admin.get(url({ page_token }))
      expectUnreadable(answer, /^unable to parse query string: .*token$/)
    }
    expectUnreadable(
      await admin.get(url({ page_token: 'a'.repeat(longest + 1) })),
      'unable to parse query string: page_token: failed to parse pagination token: too large',
    )
  })
})

/** Views by name or id: the message when the parents do not fit (control plane reference, A 3). */
const addressed: [
  name: OpName,
  key: string,
  type: string,
  parents: string[],
  both?: string,
  alone?: string,
][] = [
  ['projectView', 'project', 'project', []],
  [
    'instanceView',
    'instance',
    'instance',
    ['project'],
    'when providing instance as an ID project should not be specified',
    'instance should either be UUID or project should be specified',
  ],
  [
    'instanceDelete',
    'instance',
    'instance',
    ['project'],
    'when providing instance as an ID project should not be specified',
    'instance should either be UUID or project should be specified',
  ],
  [
    'instanceStart',
    'instance',
    'instance',
    ['project'],
    'when providing instance as an ID project should not be specified',
    'instance should either be UUID or project should be specified',
  ],
  [
    'instanceDiskList',
    'instance',
    'instance',
    ['project'],
    'when providing instance as an ID project should not be specified',
    'instance should either be UUID or project should be specified',
  ],
  [
    'diskView',
    'disk',
    'disk',
    ['project'],
    'when providing disk as an ID project should not be specified',
    'disk should either be UUID or project should be specified',
  ],
  [
    'diskDelete',
    'disk',
    'disk',
    ['project'],
    'when providing disk as an ID project should not be specified',
    'disk should either be UUID or project should be specified',
  ],
  [
    'snapshotView',
    'snapshot',
    'snapshot',
    ['project'],
    'when providing snapshot as an ID, project should not be specified',
    'snapshot should either be an ID or project should be specified',
  ],
  [
    'imageView',
    'image',
    'image',
    ['project'],
    'when providing image as an ID, project should not be specified',
  ],
  [
    'metricQueryView',
    'metric_query',
    'metric-query',
    ['project'],
    'when providing metric_query as an ID, project should not be specified',
  ],
  [
    'floatingIpView',
    'floating_ip',
    'floating-ip',
    ['project'],
    'when providing Floating IP as an ID project should not be specified',
    'Floating IP should either be UUID or project should be specified',
  ],
  [
    'antiAffinityGroupView',
    'anti_affinity_group',
    'anti-affinity-group',
    ['project'],
    'when providing anti_affinity_group as an ID, project should not be specified',
    'anti_affinity_group should either be UUID or project should be specified',
  ],
  [
    'affinityGroupView',
    'affinity_group',
    'affinity-group',
    ['project'],
    'when providing affinity_group as an ID, project should not be specified',
    'affinity_group should either be UUID or project should be specified',
  ],
  [
    'antiAffinityGroupDelete',
    'anti_affinity_group',
    'anti-affinity-group',
    ['project'],
    'when providing anti_affinity_group as an ID, project should not be specified',
    'anti_affinity_group should either be UUID or project should be specified',
  ],
  [
    'vpcView',
    'vpc',
    'vpc',
    ['project'],
    'when providing vpc as an ID, project should not be specified',
    'vpc should either be an ID or project should be specified',
  ],
  [
    'vpcSubnetView',
    'subnet',
    'vpc-subnet',
    ['vpc', 'project'],
    'when providing subnet as an ID, vpc and project should not be specified',
    'subnet should either be an ID or vpc should be specified',
  ],
  [
    'vpcRouterView',
    'router',
    'vpc-router',
    ['vpc', 'project'],
    'when providing router as an ID vpc and project should not be specified',
    'router should either be an ID or vpc should be specified',
  ],
  [
    'vpcRouterRouteView',
    'route',
    'router-route',
    ['router', 'vpc', 'project'],
    'when providing route as an ID router, subnet, vpc, and project should not be specified',
    'route should either be an ID or router should be specified',
  ],
  [
    'internetGatewayView',
    'gateway',
    'internet-gateway',
    ['vpc', 'project'],
    'when providing gateway as an ID vpc and project should not be specified',
    'gateway should either be an ID or vpc should be specified',
  ],
  [
    'internetGatewayIpPoolDelete',
    'pool',
    'internet-gateway-ip-pool',
    ['gateway', 'vpc', 'project'],
    'when providing pool as an ID gateway, subnet, vpc, and project should not be specified',
    'pool should either be an ID or gateway should be specified',
  ],
  [
    'internetGatewayIpAddressDelete',
    'address',
    'internet-gateway-ip-address',
    ['gateway', 'vpc', 'project'],
    'when providing address as an ID gateway, subnet, vpc, and project should not be specified',
    'address should either be an ID or gateway should be specified',
  ],
  [
    'instanceNetworkInterfaceView',
    'interface',
    'instance-network-interface',
    ['instance', 'project'],
    'when providing network_interface as an id instance and project should not be specified',
    'network_interface should either be a UUID or instance should be specified',
  ],
  [
    'samlIdentityProviderView',
    'provider',
    'saml-identity-provider',
    ['silo'],
    'when providing provider as an ID, silo should not be specified',
    'provider should either be a UUID or silo should be specified',
  ],
  ['currentUserSshKeyView', 'ssh_key', 'ssh-key', []],
  ['currentUserSshKeyDelete', 'ssh_key', 'ssh-key', []],
]
const parentNames: Record<string, string> = {
  silo: 'demo',
  project: 'playground',
  vpc: 'default',
  router: 'system',
  gateway: 'default',
  instance: 'paging',
}

describe.each(addressed)('%s', (name, key, type, parents, both, alone) => {
  const query = Object.fromEntries(parents.map((parent) => [parent, parentNames[parent] ?? '']))
  const get = (selector: string, query: Record<string, string> = {}) =>
    send(admin, name, { path: { [key]: selector }, query })

  test('repeats how a missing object was addressed', async () => {
    expect.hasAssertions()
    expectRefusal(await get('nobody', query), 404, `not found: ${type} with name "nobody"`)
    for (const form of [id, id.toUpperCase(), id.replaceAll('-', ''), `urn:uuid:${id}`, `%7B${id}%7D`])
      expectRefusal(await get(form), 404, `not found: ${type} with id "${id}"`)
  })

  test('names a missing parent', async () => {
    for (const [index, parent] of parents.entries()) {
      const answer = await get('nobody', { ...query, [parent]: 'no-parent' })
      const types: Record<string, string> = { router: 'vpc-router', gateway: 'internet-gateway' }
      expectRefusal(answer, 404, `not found: ${types[parent] ?? parent} with name "no-parent"`)
      expect(index).toBeLessThan(3)
    }
  })

  if (both)
    test('says that an id takes no parent', async () => {
      expect.hasAssertions()
      for (const parent of parents) expectRefusal(await get(id, { [parent]: query[parent] ?? '' }), 400, both)
    })

  if (alone)
    test('says that a name needs its parent', async () => {
      expect.hasAssertions()
      expectRefusal(await get('nobody'), 400, alone)
    })
})

test.each([
  ['/v1/vpc-subnets/default', 'vpc=default', 'vpc should either be an ID or project should be specified'],
  [
    '/v1/vpc-subnets/default',
    `vpc=${id}&project=playground`,
    'when providing vpc as an ID, project should not be specified',
  ],
  [
    '/v1/vpc-router-routes/r',
    `router=${id}&vpc=default`,
    'when providing router as an ID vpc and project should not be specified',
  ],
  [
    '/v1/network-interfaces/net0',
    `instance=${id}&project=playground`,
    'when providing instance as an ID project should not be specified',
  ],
  [
    '/v1/network-interfaces/net0',
    'instance=paging',
    'instance should either be UUID or project should be specified',
  ],
])('%s?%s: parents follow the same rule', async (path, query, message) => {
  expect.hasAssertions()
  expectRefusal(await admin.get(`${path}?${query}`), 400, message)
})

test.each([
  ['/', 404],
  ['/v1', 404],
  ['/v1/projects/p/q/r', 404],
  ['/v2/me', 404],
  ['/V1/me', 404],
  ['/__proto__', 404],
  ['/v1/constructor/prototype', 404],
])('%s is not found, whoever the caller', async (path, status) => {
  for (const who of [bed.anonymous, admin]) {
    const answer = await who.get(path)
    expectRefusal(answer, status, 'Not Found')
    expect(answer.body).not.toHaveProperty('error_code')
  }
})

test('an error deep inside alternatives is reported at its field', async () => {
  const create = (more: Record<string, unknown>) =>
    send(admin, 'instanceCreate', {
      ...cases.instanceCreate,
      body: { ...cases.instanceCreate.body, ...more },
    })
  const boot = (disk_source: unknown) => ({
    boot_disk: { type: 'create', ...named, size: GiB, disk_source },
  })
  const table: [Record<string, unknown>, string][] = [
    [
      boot({ type: 'tape' }),
      'boot_disk.disk_source.type: unknown variant `tape`, expected one of `blank`, `snapshot`, `image`, `importing_blocks`',
    ],
    [boot({}), 'boot_disk.disk_source: missing field `type`'],
    [boot({ type: 7 }), 'boot_disk.disk_source.type: invalid type: integer `7`, expected a string'],
    [boot('x'), 'boot_disk.disk_source: invalid type: string "x", expected a map'],
    [boot({ type: 'image' }), 'boot_disk.disk_source: missing field `image_id`'],
    [boot({ type: 'image', image_id: 'x' }), 'boot_disk.disk_source.image_id: UUID parsing failed'],
    [boot({ type: 'blank', block_size: 7 }), 'boot_disk.disk_source.block_size: invalid block size 7'],
    [
      { boot_disk: { type: 'borrow' } },
      'boot_disk.type: unknown variant `borrow`, expected `create` or `attach`',
    ],
    [
      {
        disks: [
          { type: 'attach', name: 'ok' },
          { type: 'attach', name: 'Bad' },
        ],
      },
      'disks[1].name: name must begin with an ASCII lowercase character',
    ],
    [{ disks: {} }, 'disks: invalid type: map, expected a sequence'],
    [
      { network_interfaces: { type: 'create', params: [{ name: 'a' }] } },
      'network_interfaces.params[0]: missing field `description`',
    ],
    [
      { network_interfaces: { type: 'many' } },
      'network_interfaces.type: unknown variant `many`, expected one of `create`, `default`, `none`',
    ],
    [
      { external_ips: [{ type: 'static' }] },
      'external_ips[0].type: unknown variant `static`, expected `ephemeral` or `floating`',
    ],
    [
      { auto_restart_policy: 'always' },
      'auto_restart_policy: unknown variant `always`, expected `never` or `best_effort`',
    ],
    [{ ncpus: -1 }, 'ncpus: invalid value: integer `-1`, expected at least 0'],
    [{ ncpus: 65_536 }, 'ncpus: invalid value: integer `65536`, expected at most 65535'],
    [{ ncpus: 1.5 }, 'ncpus: invalid type: floating point `1.5`, expected an integer'],
    [{ memory: 2 ** 53 }, 'memory: value is too large for a byte count'],
    [{ memory: 1e30 }, 'memory: value is too large for a byte count'],
    [{ start: 'yes' }, 'start: invalid type: string "yes", expected a boolean'],
    [{ hostname: 'a'.repeat(254) }, 'hostname: Max hostname length is 253'],
    [{ hostname: '-a' }, 'hostname: Hostnames must comply with RFC 1035'],
    [{ user_data: '!' }, 'user_data: invalid value: string, expected a valid base64 string'],
    [{ user_data: btoa('x'.repeat(32 * 1024 + 1)) }, 'user_data: user data must be less than 32 KiB'],
    [
      { description: 'x'.repeat(descriptionMaxLength + 1) },
      'description: description may contain at most 512 characters',
    ],
    [{ name: '' }, 'name: name requires at least one character'],
    [{ name: 'a'.repeat(64) }, 'name: name may contain at most 63 characters'],
    [{ name: 'a-' }, 'name: name cannot end with "-"'],
    [
      { name: 'aB' },
      'name: name contains invalid character: "B" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    [{ name: 'a'.repeat(32) }, 'name: name cannot be a UUID to avoid ambiguity with IDs'],
  ]
  for (const [more, message] of table) {
    const answer = await create(more)
    expectUnreadable(answer, /^unable to parse JSON body: /)
    expect(answer.body.message.replace(/ at line 1 column \d+$/, '')).toBe(
      `unable to parse JSON body: ${message}`,
    )
  }
})

test('input that crashes the reference is refused or accepted, never a 500', async () => {
  const key = (public_key: string) =>
    admin.post('/v1/me/ssh-keys', { name: 'long-key', description: '', public_key })
  expectUnreadable(await key('x'.repeat(1024)), /public_key: public key may contain at most 1023 characters/)
  expect((await key('x'.repeat(1023))).status).toBe(201)
  const update = (description: string) => admin.call('PUT', '/v1/projects/playground', { description })
  expectUnreadable(
    await update('x'.repeat(513)),
    /description: description may contain at most 512 characters/,
  )
  expect((await update('é'.repeat(512))).status).toBe(200)
  expect((await update('C:\\u0000 is only text')).status).toBe(200)
  expect((await update('\u{1f980}')).body.description).toBe('\u{1f980}')
})

test('objects of another silo are not found, by any user here', async () => {
  const siloId = await bed.addSilo('elsewhere')
  await bed.db.updateTable('silo_quotas').set({ storage: 1e15 }).where('silo_id', '=', siloId).execute()
  const pool = await bed.db.selectFrom('ip_pool').select('id').executeTakeFirstOrThrow()
  await bed.db
    .insertInto('ip_pool_silo')
    .values({ ip_pool_id: pool.id, silo_id: siloId, is_default: true })
    .execute()
  const other = await bed.addUser('other', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  const made = await other.post('/v1/projects', { name: 'hidden', description: '' })
  expect(made.status).toBe(201)
  await other.post('/v1/instances?project=hidden', {
    ...cases.instanceCreate.body,
    start: false,
    boot_disk: { type: 'create', ...cases.diskCreate.body, name: 'boot' },
  })
  await other.post('/v1/snapshots?project=hidden', { name: 'snap', description: '', disk: 'boot' })
  const key = await other.post('/v1/me/ssh-keys', cases.currentUserSshKeyCreate.body)
  const first = async (path: string) => (await other.get(`${path}&limit=1`)).body.items[0].id
  const inVpc = 'project=hidden&vpc=default'
  const hidden: [string, string][] = [
    ['/v1/projects/', made.body.id],
    ['/v1/instances/', await first('/v1/instances?project=hidden')],
    ['/v1/disks/', await first('/v1/disks?project=hidden')],
    ['/v1/snapshots/', await first('/v1/snapshots?project=hidden')],
    ['/v1/vpcs/', await first('/v1/vpcs?project=hidden')],
    ['/v1/vpc-subnets/', await first(`/v1/vpc-subnets?${inVpc}`)],
    ['/v1/vpc-routers/', await first(`/v1/vpc-routers?${inVpc}`)],
    ['/v1/vpc-router-routes/', await first(`/v1/vpc-router-routes?${inVpc}&router=system`)],
    ['/v1/internet-gateways/', await first(`/v1/internet-gateways?${inVpc}`)],
    ['/v1/network-interfaces/', await first('/v1/network-interfaces?project=hidden&instance=new-one')],
    ['/v1/users/', other.id],
    ['/v1/me/ssh-keys/', key.body.id],
  ]
  for (const [path, id] of hidden) {
    expect((await other.get(path + id)).status).toBe(200)
    expectRefusal(await admin.get(path + id), 404, new RegExp(`^not found: [a-z-]+ with id "${id}"$`))
  }
  expectRefusal(await admin.get('/v1/projects/hidden'), 404, 'not found: project with name "hidden"')
  const instance = hidden[1]?.[1] ?? ''
  for (const verb of ['start', 'stop', 'reboot'])
    expectRefusal(
      await admin.post(`/v1/instances/${instance}/${verb}`),
      404,
      `not found: instance with id "${instance}"`,
    )
  const disk = { name: 'stolen', description: '', size: GiB }
  const snapshot_id = hidden[3]?.[1]
  expectRefusal(
    await admin.post('/v1/disks?project=playground', {
      ...disk,
      disk_source: { type: 'snapshot', snapshot_id },
    }),
    404,
    `not found: snapshot with id "${snapshot_id}"`,
  )
  expect((await admin.get('/ext/v1/search?text=hidden')).body.items).toEqual([])
})

test('the API description is public', async () => {
  const ask = (method: string, path: string) =>
    bed.plane.fetch(new Request(`http://localhost${path}`, { method }), { address: '127.0.0.1' })
  const version = async (path: string) => {
    const answer = await ask('GET', path)
    return [answer.status, ((await answer.json()) as { openapi: string }).openapi]
  }
  expect(await version('/openapi.json')).toEqual([200, '3.0.3'])
  expect(await version('/ext/v1/openapi.json')).toEqual([200, '3.1.0'])
  const refused = await ask('POST', '/openapi.json')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET'])
})
