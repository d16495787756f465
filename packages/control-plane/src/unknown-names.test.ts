import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KindDescription, kinds } from './lookup/kinds.ts'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'
import { addAlert } from './testing/alerts.ts'
import { furnishNetwork } from './testing/rack-network.ts'
import { addBundle } from './testing/support-bundles.ts'
import { addAdoptionRequest } from './testing/disks.ts'
import { addTrustRoot, addUpload } from './testing/updates.ts'
import { addAuditRecord } from './testing/audit-records.ts'
import { addProbe, called, furnishProject, furnishSilo, made, nameOf } from './testing/hidden-things.ts'
import { missingName, opOf, requiresId, type Selected, selectorsOf, disclosed } from './testing/operations.ts'

/*
 * Invariant 3: a caller who may not see an object or its parent gets the same answer whether or not it
 * exists. Requests are generated from the registry, so new operations are covered; one with an unknown
 * selector fails the completeness test.
 */

const names = Object.keys(ops) as OpName[]

/** Kinds that everyone with a role in their project sees, by the selector that names them there. */
const shownInProjects = Object.values(kinds).filter(
  ({ class: own, orProject }) =>
    own === 'project' || orProject || own === 'projectChild' || own === 'projectNetwork',
)

/** The selectors of a kind's parents, innermost first. An id needs none; a name needs all. */
const parentsOfKind = ({ parent, orProject }: KindDescription): string[] => {
  if (orProject) return ['project']
  if (parent === 'fleet' || parent === 'silo') return []
  return [kinds[parent].selector, ...parentsOfKind(kinds[parent])]
}
const parentsOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  shownInProjects.map((kind) => [kind.selector, parentsOfKind(kind)]),
)

/** A request that names something hidden, and variants in which one or more selectors name nothing. */
interface Comparison {
  hidden: Selected
  missing: readonly Selected[]
}

let bed: TestBed
/** Ids of everything in project `hidden`, by selector; names follow `nameOf`. */
let ids: Record<string, string>
const strangers = new Map<string, Caller>()

const stranger = (label: string): Caller => {
  const who = strangers.get(label)
  if (!who) throw new Error(`nobody is ${label}`)
  return who
}

/**
 * Every way to address the operation's object: all by name, and each selector in turn by id, without its
 * parents. Siblings that would need the omitted parents are given by id too.
 */
function addressings(op: Operation): Selected[] {
  const keys = selectorsOf(op)
  const above = (key: string): readonly string[] => parentsOf[key] ?? []
  const byName = keys.some((key) => requiresId(op, key))
    ? []
    : [Object.fromEntries(keys.map((key) => [key, nameOf(key)]))]
  const byId = keys.map((cut) => {
    const dropped = new Set(above(cut))
    const kept = keys.filter((key) => !dropped.has(key))
    return Object.fromEntries(
      kept.map((key) => {
        const alone = !above(key).includes(cut) && above(key).some((parent) => dropped.has(parent))
        return [key, key === cut || alone ? (ids[key] ?? '') : nameOf(key)]
      }),
    )
  })
  // Path parameters cannot be omitted.
  return [...byName, ...byId].filter((given) => Object.keys(op.pathParams.shape).every((key) => key in given))
}

/** Each selector alone names nothing, then all of them. */
const comparisonOf = (hidden: Selected): Comparison => ({
  hidden,
  missing: [
    ...Object.entries(hidden).map(([key, value]) => ({ ...hidden, [key]: missingName(key, value) })),
    Object.fromEntries(Object.entries(hidden).map(([key, value]) => [key, missingName(key, value)])),
  ],
})

interface Beside {
  /** Callers; by default a user without a role, and the admin of their silo. */
  who?: readonly string[]
  known?: Selected
  hidden: Selected
}
const id = (key: string): string => ids[key] ?? ''
const bySilo = (more: Selected = {}): Beside[] => [
  { hidden: { silo: 'vault', ...more } },
  { hidden: { silo: id('silo'), ...more } },
]
const ofSilo = () => bySilo()
const userOfSilo = () => [
  ...bySilo({ user_id: id('user_id') }),
  { known: { silo: 'demo' }, hidden: { user_id: id('user_id') } },
]
const byUser = () => [{ hidden: { user_id: id('user_id') } }]
const inHidden = (known: Selected = {}): Beside => ({ who: ['nobody'], known, hidden: { project: 'hidden' } })
const siloImage = (): Beside[] => [
  { who: ['nobody', 'a project admin'], hidden: { image: 'debian-13', project: 'hidden' } },
  { who: ['a project admin'], known: { project: 'mine' }, hidden: { image: 'debian-13' } },
]
/** A template that is used, by those who may create elsewhere. */
const templateOfProject = (): Beside[] => [
  {
    who: ['nobody', 'a project admin', 'a fleet admin of another silo'],
    hidden: { instance_template: nameOf('instance_template'), project: 'hidden' },
  },
  {
    who: ['a project admin'],
    known: { project: 'mine' },
    hidden: { instance_template: id('instance_template') },
  },
]
const ofProtectable = (): Beside[] => [
  {
    who: ['nobody', 'a project admin', 'a fleet admin of another silo'],
    known: { kind: 'disk' },
    hidden: { object_id: id('disk') },
  },
]
const ofPast = (): Beside[] =>
  ofProtectable().map((one) => ({ ...one, known: { ...one.known, at: new Date().toISOString() } }))
const tasksOfObject = (): Beside[] => {
  const known = { object_kind: 'instance', state: 'open' }
  return [
    inHidden(),
    { ...inHidden(known), hidden: { project: 'hidden', object: nameOf('instance') } },
    { who: ['a project admin'], known: { ...known, project: 'mine' }, hidden: { object: id('instance') } },
  ]
}
const certificate = () =>
  ['the-certificate', id('certificate')].map((one) => ({
    who: ['nobody', 'a fleet admin of another silo'],
    hidden: { certificate: one },
  }))
const ofScimToken = (): Beside[] => [
  ...bySilo({ token_id: id('scim_token') }),
  { who: ['nobody', 'a project admin'], known: { silo: 'demo' }, hidden: { token_id: id('scim_token') } },
]
const sshKey = () => ['the-key', id('ssh_key')].map((ssh_key) => ({ hidden: { ssh_key } }))

/** Fleet objects, by name and by id. */
const ofPool = () => [{ hidden: { pool: 'external' } }, { hidden: { pool: id('external') } }]
const ofSubnetPool = () => [{ hidden: { pool: 'external' } }, { hidden: { pool: id('external_subnets') } }]
const ofSubnetLink = () => ofSubnetPool().map((pool) => ({ ...pool, known: { silo: 'demo' } }))
const ofLink = () => ofPool().map((pool) => ({ ...pool, known: { silo: 'demo' } }))
const ofRack =
  (...selectors: string[]) =>
  (): Beside[] =>
    selectors.map((key) => ({ hidden: { [key]: id(key) } }))
const ofReceiver = () => [{ hidden: { receiver: 'pager' } }, { hidden: { receiver: id('receiver_id') } }]
const ofBackupTarget = () => [{ hidden: { backup_target: 'demo-backups' } }]
const ofBundle = ofRack('bundle_id')
const ofTrustRoot = ofRack('trust_root_id')
const ofRepositoryUpload = ofRack('upload_id')
const ofBundleFile = () => ofBundle().map((one) => ({ ...one, known: { file: 'jobs.json' } }))
/** Users of its project do not see it either, unless they have a role on the fleet. */
const ofProbe = () =>
  ['the-probe', id('probe')].flatMap((probe): Beside[] => [
    { who: ['nobody', 'a fleet admin of another silo'], hidden: { probe, project: 'hidden' } },
    { who: ['a silo admin'], known: { project: 'hidden' }, hidden: { probe } },
  ])
const ofSled = ofRack('sled_id')
const ofLot = () => [{ hidden: { address_lot: 'uplinks' } }]
const ofAnnounceSet = () => [{ hidden: { announce_set: 'announced' } }]
const ofSettings = (key: string) => () => [{ hidden: { [key]: 'uplink' } }]
const ofTrial = () => [{ hidden: { trial_id: crypto.randomUUID() } }]
const ofItem = () => [{ hidden: { item_id: crypto.randomUUID() } }]
const ofPlanned = (): Beside[] => [
  { who: ['nobody'], known: { kind: 'project' }, hidden: { object_id: id('project') } },
  { who: ['nobody'], known: { kind: 'vpc' }, hidden: { object_id: id('vpc') } },
]
const ofDeletion = () => [{ hidden: { deletion_id: id('deletion') } }]
const ofSaved = () => [{ hidden: { saved_plan_id: crypto.randomUUID() } }]
const ofAccount = (): Beside[] => [
  {
    who: ['nobody', 'a project admin'],
    known: { token_id: crypto.randomUUID() },
    hidden: { service_account: id('service_account') },
  },
]
const ofEntry = () => [{ hidden: { entry_id: crypto.randomUUID() } }]
const ofAction = () => [{ hidden: { action: id('action') } }]
const ofTagging = () => [{ hidden: { action: id('tagging') } }]
const ofDeleting = () => [{ hidden: { action: id('deleting') } }]
const ofPort = () => [
  { known: { rack_id: id('rack_id'), switch_slot: 'switch0' }, hidden: { port: 'qsfp0' } },
]
const ofDrain = ofRack('drain_id')
const provider = (): Beside[] => [
  ...bySilo({ provider: 'corporate' }),
  { hidden: { provider: id('provider') } },
  { who: ['nobody'], known: { silo: 'demo' }, hidden: { provider: 'own' } },
  { who: ['nobody'], hidden: { provider: id('near_provider') } },
]

/** Operations whose selectors reach beyond a project. */
const besides: Partial<Record<OpName, () => Beside[]>> = {
  siloView: ofSilo,
  taskList: tasksOfObject,
  siloDelete: ofSilo,
  siloPolicyView: ofSilo,
  siloPolicyUpdate: ofSilo,
  siloQuotasView: ofSilo,
  siloQuotasUpdate: ofSilo,
  siloUtilizationView: ofSilo,
  systemUsageView: ofSilo,
  siloIpPoolList: ofSilo,
  siloSubnetPoolList: ofSilo,
  siloUserList: ofSilo,
  siloUserInvite: ofSilo,
  siloPersonList: ofSilo,
  siloProjectList: ofSilo,
  siloCertificateList: ofSilo,
  siloCertificateCreate: ofSilo,
  siloCertificateDelete: () => bySilo({ certificate: 'the-certificate' }),
  scimTokenList: ofSilo,
  scimTokenCreate: ofSilo,
  scimTokenView: ofScimToken,
  scimTokenDelete: ofScimToken,
  samlMetadataCheck: ofSilo,
  siloIdentityProviderList: ofSilo,
  samlIdentityProviderCreate: ofSilo,
  localIdpUserCreate: ofSilo,
  siloUserView: userOfSilo,
  localIdpUserDelete: userOfSilo,
  localIdpUserSetPassword: userOfSilo,
  samlSignInTestBegin: provider,
  samlSignInTestView: () => [{ hidden: { test_id: id('provider') } }],
  samlIdentityProviderView: provider,
  samlProviderUpdate: provider,
  samlProviderDelete: provider,
  samlProviderDependentsView: provider,
  samlAcsOriginView: ofSilo,
  activityList: () => [inHidden()],
  instanceSnapshotList: () => [inHidden()],
  instanceBackupList: () => [inHidden()],
  backupTargetAdopt: ofBackupTarget,
  backupTargetContents: ofBackupTarget,
  backupTargetDelete: ofBackupTarget,
  backupTargetTest: ofBackupTarget,
  backupTargetUpdate: ofBackupTarget,
  backupTargetView: ofBackupTarget,
  activityRevertView: ofEntry,
  activityRevert: ofEntry,
  taskView: () => [{ who: ['nobody', 'a project admin'], hidden: { task_id: id('task') } }],
  systemActivityList: () => [{ hidden: { object: id('sled_id') } }],
  deletionPlanView: ofPlanned,
  deletionView: ofDeletion,
  deletionCancel: ofDeletion,
  restorationPlan: () => [{ hidden: { deletion_id: crypto.randomUUID() } }],
  restorationView: () => [{ hidden: { restoration_id: crypto.randomUUID() } }],
  restorationCancel: () => [{ hidden: { restoration_id: crypto.randomUUID() } }],
  protectionUpdate: ofProtectable,
  tagsView: ofProtectable,
  tagsUpdate: ofProtectable,
  favouriteAdd: ofProtectable,
  favouriteRemove: () => [{ hidden: { object_id: id('project') } }],
  tagKeyList: () => [inHidden()],
  tagValueList: () => [inHidden({ key: 'env' })],
  objectDelete: ofProtectable,
  recycleBinList: () => [inHidden()],
  pastObjectView: ofPast,
  pastObjectList: () => [inHidden({ kind: 'disk', at: new Date().toISOString() })],
  savedPlanList: () => [inHidden()],
  instanceBatchNames: () => [inHidden({ name_pattern: 'web-{n}', count: '1' })],
  listTotals: () => [inHidden({ kind: 'instance' })],
  listValues: () => [inHidden({ kind: 'instance', field: 'state' })],
  savedPlanView: ofSaved,
  savedPlanCheck: ofSaved,
  savedPlanCommit: ofSaved,
  savedPlanWithdraw: ofSaved,
  recycledItemPlan: ofItem,
  recycledItemRestore: ofItem,
  recycledItemDelete: ofItem,
  protectionRemove: ofProtectable,
  userAccessList: () => [...ofSilo(), inHidden(), { hidden: { group: id('group') } }],
  groupAccessList: () => [...ofSilo(), inHidden()],
  userList: () => [{ hidden: { group: id('group') } }],
  userView: byUser,
  userTokenList: byUser,
  userSessionList: byUser,
  userLogout: byUser,
  userPasswordReset: userOfSilo,
  userSessionsEnd: userOfSilo,
  userEffectiveRoles: () => [...userOfSilo(), ...byUser(), inHidden({ user_id: id('known_user') })],
  groupView: () => [{ hidden: { group_id: id('group') } }],
  groupEffectiveRoles: () => [
    ...bySilo({ group_id: id('group') }),
    { hidden: { group_id: id('group') } },
    inHidden({ group_id: id('known_group') }),
  ],
  certificateView: certificate,
  certificateDelete: certificate,
  currentUserSshKeyView: sshKey,
  currentUserSshKeyDelete: sshKey,
  serviceAccountTokenRotate: ofAccount,
  serviceAccountTokenDelete: ofAccount,
  currentUserAccessTokenDelete: () => [{ hidden: { token_id: id('session_id') } }],
  currentUserSessionDelete: () => [{ hidden: { session_id: id('session_id') } }],
  faultRemove: () => [{ hidden: { fault_id: id('instance') } }],
  instanceActionView: ofAction,
  instanceActionCancel: ofAction,
  instanceActionRetry: ofAction,
  bulkDeletionView: ofDeleting,
  bulkDeletionCancel: ofDeleting,
  bulkDeletionRetry: ofDeleting,
  bulkTaggingView: ofTagging,
  bulkTaggingCancel: ofTagging,
  bulkTaggingRetry: ofTagging,
  projectIpPoolView: () => [{ hidden: { pool: 'unlinked' } }, { hidden: { pool: id('unlinked') } }],
  currentSiloSubnetPoolView: () => [
    { hidden: { pool: 'unlinked' } },
    { hidden: { pool: id('unlinked_subnets') } },
  ],
  subnetPoolDelete: ofSubnetPool,
  subnetPoolMemberAdd: ofSubnetPool,
  subnetPoolMemberList: ofSubnetPool,
  subnetPoolMemberRemove: ofSubnetPool,
  subnetPoolSiloLink: ofSubnetPool,
  subnetPoolSiloList: ofSubnetPool,
  subnetPoolSiloUnlink: ofSubnetLink,
  subnetPoolSiloUpdate: ofSubnetLink,
  subnetPoolUpdate: ofSubnetPool,
  subnetPoolUtilizationView: ofSubnetPool,
  subnetPoolView: ofSubnetPool,
  ipPoolAddressList: ofPool,
  ipPoolDelete: ofPool,
  ipPoolRangeAdd: ofPool,
  ipPoolRangeList: ofPool,
  ipPoolRangeRemove: ofPool,
  systemIpPoolAssign: ofPool,
  ipPoolSiloLink: ofPool,
  ipPoolSiloList: ofPool,
  ipPoolSiloUnlink: ofLink,
  ipPoolSiloUpdate: ofLink,
  ipPoolUpdate: ofPool,
  ipPoolUtilizationView: ofPool,
  ipPoolView: ofPool,
  physicalDiskDisableAdoption: ofRack('physical_disk_adoption_req_id'),
  physicalDiskView: ofRack('disk_id'),
  networkTrialConfirm: ofTrial,
  networkTrialRevert: ofTrial,
  networkingAddressLotBlockList: ofLot,
  networkingAddressLotDelete: ofLot,
  networkingAddressLotView: ofLot,
  networkingBgpAnnounceSetDelete: ofAnnounceSet,
  networkingBgpAnnouncementList: ofAnnounceSet,
  networkingBgpConfigUpdate: () => [{ hidden: { name_or_id: 'peering' } }],
  networkingBgpConfigDelete: () => [{ hidden: { name_or_id: 'peering' } }],
  networkingLoopbackAddressDelete: () =>
    ofPort().map((one) => ({ ...one, known: { ...one.known, address: '203.0.113.1', subnet_mask: '32' } })),
  networkingSwitchPortApplySettings: ofPort,
  networkingSwitchPortClearSettings: ofPort,
  networkingSwitchPortList: () => [{ hidden: { switch_port_id: crypto.randomUUID() } }],
  networkingSwitchPortLldpConfigUpdate: ofPort,
  networkingSwitchPortLldpConfigView: ofPort,
  networkingSwitchPortLldpNeighbors: ofPort,
  networkingSwitchPortSettingsDelete: ofSettings('port_settings'),
  networkingSwitchPortSettingsList: ofSettings('port_settings'),
  networkingSwitchPortSettingsView: ofSettings('port'),
  networkingSwitchPortStatus: ofPort,
  rackMembershipAbort: ofRack('rack_id'),
  rackMembershipAddSleds: ofRack('rack_id'),
  rackMembershipStatus: ofRack('rack_id'),
  rackView: ofRack('rack_id'),
  sledDrainCancel: ofDrain,
  sledDrainCreate: ofSled,
  sledDrainList: ofSled,
  sledDrainView: ofDrain,
  sledExpunge: ofSled,
  sledInstanceList: ofSled,
  sledOutageStart: ofSled,
  sledOutageView: ofSled,
  sledPhysicalDiskList: ofSled,
  sledSetProvisionPolicy: ofSled,
  sledView: ofSled,
  switchView: ofRack('switch_id'),
  userBuiltinView: () => [{ hidden: { user: 'db-init' } }],
  alertActivityPlaceAdd: ofReceiver,
  alertActivityPlaceList: ofReceiver,
  alertActivityPlaceRemove: () =>
    ofReceiver().map((one) => ({ ...one, known: { place_id: id('alert_id') } })),
  alertDeliveryList: ofReceiver,
  alertDeliveryResend: () => ofReceiver().map((one) => ({ ...one, known: { alert_id: id('alert_id') } })),
  alertDeliveryView: ofRack('delivery_id'),
  alertReceiverDelete: ofReceiver,
  alertReceiverProbe: ofReceiver,
  alertReceiverSubscriptionAdd: ofReceiver,
  alertReceiverSubscriptionRemove: () =>
    ofReceiver().map((one) => ({ ...one, known: { subscription: '**' } })),
  alertReceiverView: ofReceiver,
  alertView: ofRack('alert_id'),
  webhookReceiverUpdate: ofReceiver,
  webhookSecretsAdd: ofReceiver,
  webhookSecretsDelete: ofRack('secret_id'),
  webhookSecretsList: ofReceiver,
  auditRecordView: ofRack('record_id'),
  supportBundleDelete: ofBundle,
  supportBundleDetailView: ofBundle,
  supportBundleDownload: ofBundle,
  supportBundleDownloadFile: ofBundleFile,
  supportBundleHead: ofBundle,
  supportBundleHeadFile: ofBundleFile,
  supportBundleIndex: ofBundle,
  supportBundleUpdate: ofBundle,
  supportBundleView: ofBundle,
  systemUpdateTrustRootDelete: ofTrustRoot,
  systemUpdateTrustRootView: ofTrustRoot,
  updateUploadComplete: ofRepositoryUpload,
  updateUploadDelete: ofRepositoryUpload,
  updateUploadView: ofRepositoryUpload,
  updateUploadWrite: ofRepositoryUpload,
  siloAuditRecordView: ofRack('record_id'),
  probeDelete: ofProbe,
  probeView: ofProbe,
  imageDemote: siloImage,
  instanceTemplateUse: templateOfProject,
  instanceTemplateBatchUse: templateOfProject,
  userSecondFactorView: userOfSilo,
  systemMetric: ofSilo,
  userSecondFactorReset: userOfSilo,
}
/** Covered by `modules/sign-in/password/unknown-silos.test.ts`. */
const signsIn: readonly OpName[] = [
  'loginLocal',
  'loginNewPassword',
  'loginSaml',
  'loginSamlBegin',
  'loginMethodView',
  // Without the cookie of a pending sign-in these access no silo; with it, no other one.
  'loginPasskeyChallenge',
  'loginPasskey',
  'loginTotp',
  'loginRecoveryCode',
  'loginTotpSetUp',
  'loginTotpCreate',
  'loginPasskeySetUp',
  'loginPasskeyCreate',
  // The caller's own, searched only among the caller's own, and after a fresh confirmation.
  'passkeyUpdate',
  'passkeyDelete',
]

beforeAll(async () => {
  bed = await testControlPlane()
  const owner = await bed.signIn('member')
  ids = await furnishProject(owner, 'hidden')
  const mine = await made(owner, '/v1/projects', { name: 'mine', description: '' })
  const elsewhere = await bed.addSilo('elsewhere')
  const far = [{ at: 'fleet', role: 'admin' } as const, { at: 'silo', role: 'admin' } as const]
  const insider = [{ at: { project: mine }, role: 'admin' } as const]
  strangers.set('nobody', await bed.addUser('nobody'))
  strangers.set('a project admin', await bed.addUser('insider', { roles: insider }))
  strangers.set('a fleet admin of another silo', await bed.addUser('far', { siloId: elsewhere, roles: far }))
  strangers.set('a silo admin', await bed.addUser('silo-admin', { roles: [{ at: 'silo', role: 'admin' }] }))
  const action = { action: 'stop', instances: [called('instance')] }
  const leaving = await made(owner, '/v1/projects', { name: 'leaving', description: '' })
  const { hash } = (await owner.get(`/ext/v1/deletion-plans/${leaving}?kind=project`)).body
  const { silo_id } = (await owner.get('/v1/me')).body
  ids = {
    ...ids,
    ...(await furnishSilo(bed, silo_id)),
    action: await made(owner, '/ext/v1/instance-actions?project=hidden', action),
    tagging: await made(owner, '/ext/v1/bulk-taggings?project=hidden', {
      kind: 'disk',
      objects: [crypto.randomUUID()],
      remove: ['env'],
    }),
    deleting: await made(owner, '/ext/v1/bulk-deletions?project=hidden', {
      kind: 'image',
      objects: [leaving],
    }),
    task: (await owner.get('/ext/v1/tasks?mine=true&limit=1')).body.items[0].id,
    deletion: await made(owner, '/ext/v1/deletions', { kind: 'project', object_id: leaving, hash }),
    record_id: await addAuditRecord(bed.db, null),
    bundle_id: await addBundle(bed),
    trust_root_id: await addTrustRoot(bed),
    physical_disk_adoption_req_id: await addAdoptionRequest(bed),
    upload_id: await addUpload(bed),
    probe: await addProbe(bed, await bed.signIn('admin'), 'hidden'),
    ...(await addAlert(bed.db, 'pager')),
  }
  await furnishNetwork(await bed.signIn('admin'))
})
afterAll(() => bed.stop())

/** Operations whose selectors all belong to a project. */
const inProject = names.filter((name) => {
  const keys = selectorsOf(opOf(name))
  return keys.length > 0 && keys.every((key) => parentsOf[key]) && !(name in besides)
})

/** The response for the hidden object, and every response that differs from it. */
async function answersTo(who: Caller, name: OpName, { hidden, missing }: Comparison) {
  const answer = await disclosed(bed, who, name, hidden)
  const others: string[] = []
  for (const other of missing) {
    const said = await disclosed(bed, who, name, other)
    if (said !== answer) others.push(`${JSON.stringify(other)}: ${said}`)
  }
  return { answer, others }
}
const alike = {
  answer: expect.stringMatching(/^\[(404,.*not found: [a-z-]+ with (name|id) <|403,.*Forbidden)/),
  others: [],
}

describe.each(inProject)('%s', (name) => {
  test.each(['a project admin', 'a fleet admin of another silo'])('reveals nothing to %s', async (label) => {
    for (const given of addressings(opOf(name))) {
      const answers = await answersTo(stranger(label), name, comparisonOf(given))
      expect(answers, JSON.stringify(given)).toEqual(alike)
    }
  })
})

describe.each(Object.keys(besides) as OpName[])('%s', (name) => {
  test('reveals nothing about hidden objects', async () => {
    for (const { who = ['nobody', 'a silo admin'], known = {}, hidden } of besides[name]?.() ?? [])
      for (const label of who) {
        const { missing } = comparisonOf(hidden)
        const all = {
          hidden: { ...known, ...hidden },
          missing: missing.map((other) => ({ ...known, ...other })),
        }
        expect(await answersTo(stranger(label), name, all), `${label} ${JSON.stringify(hidden)}`).toEqual(
          alike,
        )
      }
  })
})

test('every operation with selectors is covered', () => {
  const asked = new Set<string>([...inProject, ...Object.keys(besides), ...signsIn])
  expect(names.filter((name) => selectorsOf(opOf(name)).length > 0 && !asked.has(name))).toEqual([])
})

test('a permission check answers alike for hidden and missing objects', async () => {
  const verdict = async (object: string, one: string) =>
    (await stranger('nobody').post('/ext/v1/can', { checks: [{ action: 'read', object, id: one }] })).body
      .verdicts
  for (const [object, hidden] of [
    ['project', 'hidden'],
    ['project', id('project')],
    ['silo', 'vault'],
    ['silo', id('silo')],
    ['identity_provider', 'vault'],
  ] as const)
    expect(await verdict(object, hidden)).toEqual(await verdict(object, missingName(object, hidden)))
})
