import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'
import { type Counted, countedStatements } from './testing/counted-statements.ts'
import { addAlert } from './testing/alerts.ts'
import { addBundle } from './testing/support-bundles.ts'
import { addRepository, addTrustRoot, addUpload } from './testing/updates.ts'
import { addRestoration } from './testing/restorations.ts'
import { addAuditRecord } from './testing/audit-records.ts'
import { furnishNetwork } from './testing/rack-network.ts'
import { addProbe, furnishProject, furnishSilo, made, nameOf } from './testing/hidden-things.ts'
import {
  asInContract,
  opOf,
  plainValues,
  requiresId,
  type Selected,
  selectorsOf,
} from './testing/operations.ts'
import { migratedDatabase } from './testing/migrated-database.ts'
import { wholeUpload } from './modules/instance-files/instance-file.fixtures.ts'

let counted: Counted
let bed: TestBed
let me: Caller
let ids: Record<string, string>
beforeAll(async () => {
  // The clock is fixed, so that cached roles do not expire during the test.
  const now = new Date()
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true, environment: { clock: () => now } })
  me = await bed.signIn('admin')
  const { silo_id } = (await me.get('/v1/me')).body
  ids = { ...(await furnishProject(me, 'hidden')), ...(await furnishSilo(bed, silo_id)) }
  for (const kind of ['affinity-groups', 'anti-affinity-groups']) {
    const group = { name: 'with-member', description: '', policy: 'allow', failure_domain: 'sled' }
    await made(me, `/v1/${kind}?project=hidden`, group)
    await made(me, `/v1/${kind}/with-member/members/instance/the-instance?project=hidden`)
  }
  await made(me, '/v1/me/ssh-keys', { name: 'my-key', description: '', public_key: 'k' })
  const [pool] = (await me.get('/v1/ip-pools')).body.items
  const stop = { action: 'stop', instances: ['the-instance'] }
  ids.action = await made(me, '/ext/v1/instance-actions?project=hidden', stop)
  const nothing = { kind: 'image', objects: [pool.id] }
  ids.tagging = await made(me, '/ext/v1/bulk-taggings?project=hidden', { ...nothing, remove: ['env'] })
  ids.deleting = await made(me, '/ext/v1/bulk-deletions?project=hidden', nothing)
  ids.pool_of_silo = pool.id
  const leaving = await made(me, '/v1/projects', { name: 'leaving', description: '' })
  const { hash } = (await me.get(`/ext/v1/deletion-plans/${leaving}?kind=project`)).body
  ids.deletion = await made(me, '/ext/v1/deletions', { kind: 'project', object_id: leaving, hash })
  ids.restoration = await addRestoration(bed.db, {
    deletion_id: ids.deletion,
    object: { id: leaving, name: 'leaving' },
    silo_id,
    silo_user_id: (await me.get('/v1/me')).body.id,
  })
  ids = { ...ids, ...(await addAlert(bed.db, 'pager')) }
  ids.rack_id = (await furnishNetwork(me)).rack
  const [entry] = (await me.get('/ext/v1/activity?project=hidden&limit=1')).body.items
  ids.entry = entry.id
  const [task] = (await me.get('/ext/v1/tasks?project=hidden&limit=1')).body.items
  ids.task = task.id
  ids.at = now.toISOString()
  ids.record_id = await addAuditRecord(bed.db, silo_id)
  ids.bundle_id = await addBundle(bed)
  ids.trust_root_id = await addTrustRoot(bed)
  ids.upload_id = await addUpload(bed)
  ids.file = await wholeUpload({ owner: me, bed }, 'project=hidden', 'file')
  ids.system_version = await addRepository(bed, '1.0.0')
  ids.probe = await addProbe(bed, me, 'hidden')
  ids.test_id = crypto.randomUUID()
  await bed.db
    .insertInto('saml_sign_in_test')
    .values({
      id: ids.test_id,
      secret_hash: 'h',
      silo_user_id: (await me.get('/v1/me')).body.id,
      saml_identity_provider_id: ids.near_provider ?? '',
      redirect_uri: '/',
      time_expires: new Date(now.getTime() + 60_000),
      result: null,
    })
    .execute()
  const builtin = { id: crypto.randomUUID(), time_created: now, time_modified: now, time_deleted: null }
  await bed.db
    .insertInto('user_builtin')
    .values({ ...builtin, name: 'builtin', description: '' })
    .execute()
})
afterAll(() => bed.stop())

/**
 * The caller, cached over many requests; the object or its parent with the caller's permissions; the rows.
 */
const defaultLimit = 4
/** Views that combine many tables declare their number of statements. */
const ownLimits: Partial<Record<OpName, number>> = {
  // All rows of a VPC, against which packets are evaluated.
  instanceFirewallRuleList: 13,
  // The instance's VPC and addresses, what its gateways carry, and what the fleet refuses.
  instanceExternalIpProblemList: 6,
  // How far it is counted, how many records are left, months, days, prices and names, and each day not counted yet.
  usageView: 10,
  systemUsageView: 10,
  // The positions, what belongs to them, who made them, how work ended, refused requests, and names.
  activityList: 9,
  systemActivityList: 9,
  activityRevertView: 6,
  // The positions, two for each kind of task on the page, and names.
  taskList: 13,
  systemTaskList: 10,
  // The task, two for its kind, what is pending or the only object, who began it, and what failed.
  taskView: 7,
  // What goes along, what of it is stuck, what uses it from outside, and whether it is being deleted already.
  deletionPlanView: 6,
  // The user's factors, and the silo's requirements.
  secondFactorView: 7,
  // Users, their groups, and their roles.
  userAccessList: 7,
  groupAccessList: 6,
  userEffectiveRoles: 5,
  // The fleet policy, the identities it names, and the silos that map roles to it.
  fleetAccessView: 5,
  fleetUserList: 5,
  // The test, its provider and silo, and whether any user of the silo holds a fleet role.
  samlSignInTestView: 5,
  // The provider, its silo, whether any of its users holds a fleet role, and what is counted.
  samlProviderDependentsView: 5,
  // Probes, their project, interfaces and addresses; and their state, faults and sleds.
  probeList: 5,
  probeStatusList: 8,
  probeView: 5,
  // The target, its key, and which of its backups are in a project.
  backupTargetContents: 6,
  // Projects, their usage, and their number of instances.
  siloProjectList: 5,
  // Ranges and addresses of all pools on the page, and their links.
  ipPoolUseList: 5,
  // Members and external subnets of all pools on the page, and their links.
  subnetPoolUseList: 5,
  // Sleds with their faults, drains and instances.
  sledUseList: 5,
  // Racks, switches, ports, their settings, and configurations of BGP.
  networkFabricView: 6,
  // One query for each kind of issue, one for their episodes, and one for each part of the rack's health and capacity.
  systemIssueList: 16,
  systemOverviewView: 18,
  // The target release, the plan, hardware with its components and faults, and what runs on drained sleds.
  updateStatusView: 9,
  systemUpdateStatus: 10,
  // Records, their users, and what they changed.
  auditRecordList: 4,
  // The name that a failed sign-in tried is kept apart, and for a shorter time.
  auditRecordView: 5,
  siloAuditRecordView: 5,
  alertReceiverView: 5,
  // The project, the moment, how much was deleted since, the rows of now, their changes, and names.
  pastObjectList: 8,
  // Where it is, the moment, its row of now, its changes, names, and who the last of them was.
  pastObjectView: 8,
  groupEffectiveRoles: 5,
  userSecondFactorView: 5,
}

const inTime = { start_time: '2025-01-01T00:00:00Z' }
const external = { pool: 'external' }

/** Values for selectors whose name does not lead to an object. */
const values = (name: OpName): Selected => {
  const id = (key: string): string => ids[key] ?? ''
  const own: Partial<Record<OpName, Selected>> = {
    affinityGroupMemberInstanceView: { affinity_group: 'with-member', project: 'hidden' },
    antiAffinityGroupMemberInstanceView: { anti_affinity_group: 'with-member', project: 'hidden' },
    instanceActionView: { action: id('action'), project: 'hidden' },
    bulkTaggingView: { action: id('tagging'), project: 'hidden' },
    bulkDeletionView: { action: id('deleting'), project: 'hidden' },
    projectIpPoolView: { pool: id('pool_of_silo') },
    samlIdentityProviderView: { provider: 'own' },
    samlProviderDependentsView: { provider: 'own' },
    ...Object.fromEntries(
      (
        ['alertReceiverView', 'alertActivityPlaceList', 'alertDeliveryList', 'webhookSecretsList'] as const
      ).map((one) => [one, { receiver: 'pager' }]),
    ),
    backupTargetView: { backup_target: 'demo-backups' },
    backupTargetContents: { backup_target: 'demo-backups' },
    instanceBatchNames: { project: 'hidden', name_pattern: 'web-{n}', count: '1' },
    objectNames: { id: id('instance') },
    tagsView: { object_id: id('disk'), kind: 'disk' },
    tagsList: { id: id('disk'), kind: 'disk' },
    tagValueList: { project: 'hidden', key: 'env' },
    currentUserRequestList: { entry: id('entry') },
    activityRevertView: { entry_id: id('entry') },
    pastObjectView: { object_id: id('disk'), kind: 'disk', at: ids.at ?? '' },
    pastObjectList: { project: 'hidden', kind: 'disk', at: ids.at ?? '' },
    // No list of instances is of a VPC.
    listTotals: { kind: 'instance', project: 'hidden', vpc: '' },
    listDetails: { kind: 'instance', id: id('instance') },
    listValues: { kind: 'instance', field: 'state', project: 'hidden', vpc: '' },
    instanceImportPlan: { upload: id('file') },
    taskView: { task_id: id('task') },
    taskList: { object: nameOf('instance'), object_kind: 'instance', state: 'open' },
    deletionPlanView: { object_id: id('project'), kind: 'project' },
    deletionView: { deletion_id: id('deletion') },
    restorationView: { restoration_id: id('restoration') },
    networkingBgpImportedRoutesIpv4: { asn: '64500' },
    networkingBgpImported: { asn: '64500' },
    networkingBgpMessageHistory: { asn: '64500' },
    networkingSwitchPortSettingsView: { port: 'uplink' },
    auditLogList: inTime,
    auditRecordList: inTime,
    instanceChangeList: { ...inTime, project: 'hidden' },
    siloAuditRecordList: inTime,
    search: { text: 'hidden' },
    siloMetric: plainValues,
    systemMetric: plainValues,
    siloUserView: { silo: 'demo' },
    systemUpdateGetRepository: { system_version: id('system_version') },
    systemUpdateRepositoryView: { system_version: id('system_version') },
    userBuiltinView: { user: 'builtin' },
    currentSiloSubnetPoolView: external,
    ...Object.fromEntries(reads.filter((one) => /^(ip|subnet)Pool/.test(one)).map((one) => [one, external])),
  }
  return {
    silo: 'demo',
    user_id: id('known_user'),
    group_id: id('known_group'),
    group: id('known_group'),
    ssh_key: 'my-key',
    address_lot: 'uplinks',
    announce_set: 'announced',
    port: 'qsfp0',
    switch_slot: 'switch0',
    ...own[name],
  }
}

const reads = (Object.keys(ops) as OpName[]).filter((name) => {
  const op = opOf(name)
  // The serial console needs a running instance.
  const isOfMachine = name === 'instanceSerialConsole'
  return op.method === 'GET' && op.transport === 'json' && !op.anonymous && !isOfMachine
})

function pathOf(name: OpName): string {
  const op = opOf(name)
  const known = values(name)
  const inPath = Object.keys(op.pathParams.shape)
  const selectors = selectorsOf(op)
  // An id is given without its parents.
  const isById =
    inPath.some((key) => requiresId(op, key)) &&
    !['instanceActionView', 'bulkDeletionView', 'bulkTaggingView'].includes(name)
  const valueOf = (key: string): string =>
    known[key] ?? (requiresId(op, key) ? (ids[key] ?? '') : nameOf(key))
  const path = op.path.replace(/\{(\w+)\}/g, (_, key: string) => valueOf(key))
  const query = new URLSearchParams()
  for (const key of Object.keys(op.query.shape)) {
    if (inPath.includes(key)) continue
    const isWanted = selectors.includes(key) ? !isById || key === 'silo' : key in known
    if (isWanted && valueOf(key) !== '') query.set(key, valueOf(key))
  }
  return `${path}?${query}`
}

test.each(reads)('%s needs few statements, and only reads', async (name) => {
  const path = pathOf(name)
  const ask = async (): Promise<void> => {
    const answer = await me.call('GET', path, undefined, asInContract(opOf(name)))
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200)
  }
  await ask()
  const statements = await counted.during(ask)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(ownLimits[name] ?? defaultLimit)
  expect(statements.filter((text) => !/^\s*(select|with)\b/i.test(text))).toEqual([])
})

test.each([
  ['instanceList', 'instance', 'user_data'],
  ['instanceSortedList', 'instance', 'user_data'],
  ['siloIdentityProviderList', 'saml_identity_provider', 'metadata'],
] as const)('%s reads no wide column of %s', async (name, table, column) => {
  const statements = await counted.during(() => me.get(pathOf(name)))
  const lists = statements.filter((text) => text.includes(`FROM "${table}" t`))
  expect(lists).toHaveLength(1)
  expect(lists[0]).not.toMatch(/\bt\.\*/)
  expect(lists[0]).not.toContain(`"${column}"`)
})
