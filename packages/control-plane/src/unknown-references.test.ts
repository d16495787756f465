import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from './testing/control-plane.ts'
import { furnishProject, furnishSilo, nameOf } from './testing/hidden-things.ts'
import { referencesIn } from './testing/sample-body.ts'
import { opOf, selectorsOf, disclosed } from './testing/operations.ts'

/*
 * Invariant 3 for request bodies: an object that the caller may not see is reported as missing there too. The
 * contract yields every field that may name an object, so a new field must be covered here.
 */

const GiB = 1024 ** 3
const names = Object.keys(ops) as OpName[]

let bed: TestBed
/** Ids of hidden objects, by selector. */
let ids: Record<string, string>
const id = (key: string): string => ids[key] ?? ''

/** A field of a body that may name a hidden object, and the objects to name. */
interface Referring {
  hidden: () => string
  body: (reference: string) => object
}
const fresh = { name: 'fresh', description: '' }
const machine = { ...fresh, ncpus: 1, memory: GiB, hostname: 'fresh', start: false }
const referTo = (key: string, body: Referring['body']): Referring => ({ hidden: () => id(key), body })
const source = (type: 'image' | 'snapshot') => (reference: string) => ({
  ...fresh,
  size: GiB,
  disk_backend: { type: 'distributed', disk_source: { type, [`${type}_id`]: reference } },
})
const created = (type: 'image' | 'snapshot') => (reference: string) => ({
  ...source(type)(reference),
  type: 'create',
})
const fromPool = (pool: string) => ({ pool_selector: { type: 'explicit', pool } })
const at = (value: string) => ({ type: 'instance', value })
const internet = { type: 'internet' }
const packet = { type: 'icmp', icmp_type: 8 }
const subnet = { ...fresh, ipv4_block: '172.30.64.0/22' }

/** Settings of a template, in the request that saves it and in the one that edits it. */
const inTemplate = (field: string, key: string, settings: Referring['body']): [string, Referring][] =>
  ['instanceTemplateCreate', 'instanceTemplateUpdate'].map((name) => [
    `${name} settings.${field}`,
    referTo(key, (one) => ({ ...fresh, settings: settings(one) })),
  ])
const interfaces = (more: object) => ({
  network_interfaces: { type: 'create', params: [{ ...fresh, vpc: 'default', subnet: 'default', ...more }] },
})
const ofTemplates = (['image', 'snapshot'] as const).flatMap((type) => [
  ...inTemplate(`boot_source.${type}_id`, type, (one) => ({
    boot_size: GiB,
    boot_source: { type, [`${type}_id`]: one },
  })),
  ...inTemplate(`disks[].disk_source.${type}_id`, type, (one) => ({
    disks: [{ ...fresh, size: GiB, disk_source: { type, [`${type}_id`]: one } }],
  })),
])

const referring: Record<string, Referring> = {
  ...Object.fromEntries([
    ...ofTemplates,
    ...inTemplate('network_interfaces.params[].vpc', 'vpc', (vpc) => interfaces({ vpc })),
    ...inTemplate('network_interfaces.params[].subnet', 'subnet', (one) => interfaces({ subnet: one })),
    ...inTemplate('external_ips[].pool', 'unlinked', (pool) => ({
      external_ips: [{ type: 'ephemeral', pool }],
    })),
    ...inTemplate('anti_affinity_groups[]', 'anti_affinity_group', (one) => ({
      anti_affinity_groups: [one],
    })),
  ]),
  'diskCreate disk_backend.disk_source.image_id': referTo('image', source('image')),
  'diskCreate disk_backend.disk_source.snapshot_id': referTo('snapshot', source('snapshot')),
  'floatingIpAttach parent': referTo('instance', (parent) => ({ kind: 'instance', parent })),
  'externalSubnetAttach instance': referTo('instance', (instance) => ({ instance })),
  'externalSubnetCreate allocator.pool_selector.pool': referTo('unlinked_subnets', (pool) => ({
    ...fresh,
    allocator: { type: 'auto', prefix_length: 29, pool_selector: { type: 'explicit', pool } },
  })),
  'floatingIpCreate address_allocator.pool': referTo('unlinked', (pool) => ({
    ...fresh,
    address_allocator: { type: 'explicit', ip: '192.0.2.9', pool },
  })),
  'floatingIpCreate address_allocator.pool_selector.pool': referTo('unlinked', (pool) => ({
    ...fresh,
    address_allocator: { type: 'auto', ...fromPool(pool) },
  })),
  'imageCreate source.id': referTo('snapshot', (snapshot) => ({
    ...fresh,
    os: '',
    version: '',
    source: { type: 'snapshot', id: snapshot },
  })),
  'instanceCreate anti_affinity_groups[]': referTo('anti_affinity_group', (group) => ({
    ...machine,
    anti_affinity_groups: [group],
  })),
  'instanceCreate boot_disk.disk_backend.disk_source.image_id': referTo('image', (one) => ({
    ...machine,
    boot_disk: created('image')(one),
  })),
  'instanceCreate boot_disk.disk_backend.disk_source.snapshot_id': referTo('snapshot', (one) => ({
    ...machine,
    boot_disk: created('snapshot')(one),
  })),
  'instanceCreate disks[].disk_backend.disk_source.image_id': referTo('image', (one) => ({
    ...machine,
    disks: [created('image')(one)],
  })),
  'instanceCreate disks[].disk_backend.disk_source.snapshot_id': referTo('snapshot', (one) => ({
    ...machine,
    disks: [created('snapshot')(one)],
  })),
  'instanceCreate external_ips[].floating_ip': referTo('floating_ip', (floating_ip) => ({
    ...machine,
    external_ips: [{ type: 'floating', floating_ip }],
  })),
  'instanceCreate external_ips[].pool_selector.pool': referTo('unlinked', (pool) => ({
    ...machine,
    external_ips: [{ type: 'ephemeral', ...fromPool(pool) }],
  })),
  'instanceCreate ssh_public_keys[]': referTo('ssh_key', (key) => ({ ...machine, ssh_public_keys: [key] })),
  'instanceGuestSshKeysAdd ssh_public_keys[]': referTo('ssh_key', (key) => ({
    user: 'root',
    ssh_public_keys: [key],
  })),
  'instanceDiskAttach disk': referTo('disk', (disk) => ({ disk })),
  'instanceDiskDetach disk': referTo('disk', (disk) => ({ disk })),
  'instanceDiskHotAttach disk': referTo('disk', (disk) => ({ disk })),
  'instanceDiskHotDetach disk': referTo('disk', (disk) => ({ disk })),
  'instanceCdsUpdate cds[]': referTo('image', (image) => ({ cds: [image] })),
  'instanceCreate cds[]': referTo('image', (image) => ({ ...machine, cds: [image] })),
  'instanceEphemeralIpAttach pool_selector.pool': referTo('unlinked', fromPool),
  'instancePendingUpdate boot_disk': referTo('disk', (boot_disk) => ({ boot_disk })),
  'instanceUpdate boot_disk': referTo('disk', (boot_disk) => ({ ncpus: 1, memory: GiB, boot_disk })),
  'instanceSnapshotCreate instance': referTo('instance', (instance) => ({ ...fresh, instance })),
  'instanceBackupCreate instance': referTo('instance', (instance) => ({ ...fresh, instance })),
  'internetGatewayIpPoolCreate ip_pool': referTo('unlinked', (ip_pool) => ({ ...fresh, ip_pool })),
  'placementCheck affinity_groups[]': referTo('affinity_group', (group) => ({
    ncpus: 1,
    memory: GiB,
    affinity_groups: [group],
  })),
  'placementCheck anti_affinity_groups[]': referTo('anti_affinity_group', (group) => ({
    ncpus: 1,
    memory: GiB,
    anti_affinity_groups: [group],
  })),
  'scheduleCreate objects[]': referTo('disk', (disk) => ({
    ...fresh,
    action: 'snapshot_disk',
    objects: [disk],
    timing: { type: 'hourly', minute: 0 },
    timezone: 'UTC',
  })),
  'snapshotCreate disk': referTo('disk', (disk) => ({ ...fresh, disk })),
  'tagsEdit edits[].id': referTo('disk', (one) => ({ edits: [{ kind: 'disk', id: one, remove: ['env'] }] })),
  'vpcPacketCheck from.value': referTo('instance', (one) => ({ from: at(one), to: internet, packet })),
  'vpcPacketCheck to.value': referTo('instance', (one) => ({ from: internet, to: at(one), packet })),
  'vpcSubnetCreate custom_router': referTo('router', (custom_router) => ({ ...subnet, custom_router })),
  'vpcSubnetUpdate custom_router': referTo('router', (custom_router) => ({ custom_router })),
}

const inOwnProject = 'a name is looked up in the project that the request is about'
const keptAsGiven = 'stored unchanged, and never looked up'
const ownName = 'a name that is given, not one that is looked up'
const byItsTask =
  'looked up by the creation of each instance, and reported in the answer as instanceCreate would'
const ofFleetAdmins = 'only for the admin of the fleet'
const knownToAll = 'users of every project may know the names of the backup targets'
const asInPath = 'looked up as in the path of a project, and missing to a user who does not see it'
const notOutside: Record<string, string> = {
  'accessTokenCreate projects[]': asInPath,
  'serviceAccountTokenCreate projects[]': asInPath,
  'alertActivityPlaceAdd project': ofFleetAdmins,
  'notificationRead ids[]': "the caller's own; others are skipped",
  'backupTargetAdopt project': ofFleetAdmins,
  'backupTargetAdopt backups[]': ofFleetAdmins,
  'backupTargetCreate store.folder': ownName,
  'instanceBackupRestore disk_id': 'looked up in the backup only',
  'bulkDeletionCreate objects[]': 'reported as missing in the answer, whether they exist or not',
  'bulkTaggingCreate objects[]': 'as above',
  'deletionCreate object_id': 'the object itself, as in the path of its deletion',
  'diskFinalizeImport snapshot_name': ownName,
  'faultInject instance_id': 'only for the admin of the fleet',
  'faultInject sled_id': 'only for the admin of the fleet',
  'subnetPoolSiloLink silo': ofFleetAdmins,
  'ipPoolSiloLink silo': 'only for the admin of the fleet',
  'instanceActionCreate instances[]': 'looked up in the project only, and reported as missing in the answer',
  'instanceBatchCreate instance.anti_affinity_groups[]': byItsTask,
  'instanceBatchCreate instance.boot_disk.disk_backend.disk_source.image_id': byItsTask,
  'instanceBatchCreate instance.boot_disk.disk_backend.disk_source.snapshot_id': byItsTask,
  'instanceBatchCreate instance.cds[]': byItsTask,
  'instanceBatchCreate instance.disks[].disk_backend.disk_source.image_id': byItsTask,
  'instanceBatchCreate instance.disks[].disk_backend.disk_source.snapshot_id': byItsTask,
  'instanceBatchCreate instance.external_ips[].floating_ip': byItsTask,
  'instanceBatchCreate instance.external_ips[].pool_selector.pool': byItsTask,
  'instanceBatchCreate instance.network_interfaces.params[].subnet_name': byItsTask,
  'instanceBatchCreate instance.network_interfaces.params[].vpc_name': byItsTask,
  'instanceBatchCreate instance.ssh_public_keys[]': byItsTask,
  'instanceCreate network_interfaces.params[].subnet_name': inOwnProject,
  'instanceCreate network_interfaces.params[].vpc_name': inOwnProject,
  'instanceNetworkInterfaceCreate subnet_name': inOwnProject,
  'instanceNetworkInterfaceCreate vpc_name': inOwnProject,
  'instanceSnapshotRestore present_name': ownName,
  'localIdpUserCreate external_id': ownName,
  'networkImpactView port_settings': ofFleetAdmins,
  'networkImpactView settings.addresses[].addresses[].address_lot': ofFleetAdmins,
  'networkImpactView settings.addresses[].link_name': keptAsGiven,
  'networkImpactView settings.bgp_peers[].link_name': keptAsGiven,
  'networkImpactView settings.bgp_peers[].peers[].bgp_config': ofFleetAdmins,
  'networkImpactView settings.bgp_peers[].peers[].interface_name': keptAsGiven,
  'networkImpactView settings.groups[]': ofFleetAdmins,
  'networkImpactView settings.interfaces[].link_name': keptAsGiven,
  'networkImpactView settings.links[].link_name': keptAsGiven,
  'networkImpactView settings.routes[].link_name': keptAsGiven,
  'networkImpactView switch_port_id': ofFleetAdmins,
  'listPreferenceUpdate shared_views[].id': 'what the caller may not see is left out, as what does not exist',
  'restorationCreate deletion_id': 'what it took is looked up as in the path of its plan',
  'recycledItemRestore together[]': 'only what belongs to the item is looked up',
  'networkTrialCreate port_settings': ofFleetAdmins,
  'networkTrialCreate settings.addresses[].addresses[].address_lot': ofFleetAdmins,
  'instanceBackupCreate backup_target': knownToAll,
  'networkTrialCreate settings.addresses[].link_name': keptAsGiven,
  'networkTrialCreate settings.bgp_peers[].link_name': keptAsGiven,
  'networkTrialCreate settings.bgp_peers[].peers[].bgp_config': ofFleetAdmins,
  'networkTrialCreate settings.bgp_peers[].peers[].interface_name': keptAsGiven,
  'networkTrialCreate settings.groups[]': ofFleetAdmins,
  'networkTrialCreate settings.interfaces[].link_name': keptAsGiven,
  'networkTrialCreate settings.links[].link_name': keptAsGiven,
  'networkTrialCreate settings.routes[].link_name': keptAsGiven,
  'networkTrialCreate switch_port_id': ofFleetAdmins,
  'probeCreate pool_selector.pool': ofFleetAdmins,
  'probeCreate sled': ofFleetAdmins,
  'networkingBgpAnnounceSetUpdate announcement[].address_lot_block': ofFleetAdmins,
  'networkingBgpConfigCreate bgp_announce_set_id': ofFleetAdmins,
  'networkingBgpConfigCreate vrf': keptAsGiven,
  'networkingBgpConfigUpdate bgp_announce_set_id': ofFleetAdmins,
  'networkingLoopbackAddressCreate address_lot': ofFleetAdmins,
  'networkingLoopbackAddressCreate rack_id': ofFleetAdmins,
  'networkingSwitchPortApplySettings port_settings': ofFleetAdmins,
  'networkingSwitchPortLldpConfigUpdate id': ofFleetAdmins,
  'networkingSwitchPortSettingsCreate addresses[].addresses[].address_lot': ofFleetAdmins,
  'networkingSwitchPortSettingsCreate addresses[].link_name': keptAsGiven,
  'networkingSwitchPortSettingsCreate bgp_peers[].link_name': keptAsGiven,
  'networkingSwitchPortSettingsCreate bgp_peers[].peers[].bgp_config': ofFleetAdmins,
  'networkingSwitchPortSettingsCreate bgp_peers[].peers[].interface_name': keptAsGiven,
  'networkingSwitchPortSettingsCreate groups[]': ofFleetAdmins,
  'networkingSwitchPortSettingsCreate interfaces[].link_name': keptAsGiven,
  'networkingSwitchPortSettingsCreate links[].link_name': keptAsGiven,
  'networkingSwitchPortSettingsCreate routes[].link_name': keptAsGiven,
  'policyUpdate role_assignments[].identity_id': keptAsGiven,
  'projectPolicyUpdate role_assignments[].identity_id': keptAsGiven,
  'scheduleCreate target.backup_target': knownToAll,
  'scheduleUpdate objects[]': inOwnProject,
  'scheduleUpdate target.backup_target': knownToAll,
  'siloPolicyUpdate role_assignments[].identity_id': keptAsGiven,
  'siloUserInvite external_id': ownName,
  'sledOutageStart instances[]': ofFleetAdmins,
  'systemPolicyUpdate role_assignments[].identity_id': keptAsGiven,
  'vpcCreate dns_name': ownName,
  'vpcFirewallRulesUpdate rules[].filters.hosts[].value': keptAsGiven,
  'vpcFirewallRulesUpdate rules[].targets[].value': keptAsGiven,
  'vpcPacketCheck rules[].filters.hosts[].value': keptAsGiven,
  'vpcPacketCheck rules[].targets[].value': keptAsGiven,
  'vpcRouterRouteCreate destination.value': keptAsGiven,
  'vpcRouterRouteCreate target.value': keptAsGiven,
  'vpcRouterRouteUpdate destination.value': keptAsGiven,
  'vpcRouterRouteUpdate target.value': keptAsGiven,
  'vpcUpdate dns_name': ownName,
}
/** What the creation of an instance names, templates can be used with, too. */
for (const [reference, each] of Object.entries(referring))
  if (reference.startsWith('instanceCreate '))
    referring[reference.replace('instanceCreate', 'instanceTemplateUse')] = each
for (const [reference, why] of Object.entries(notOutside)) {
  if (reference.startsWith('instanceCreate '))
    notOutside[reference.replace('instanceCreate', 'instanceTemplateUse')] = why
  if (reference.startsWith('instanceBatchCreate instance.'))
    notOutside[reference.replace('instanceBatchCreate instance.', 'instanceTemplateBatchUse ')] = why
}
const found = names.flatMap((name) => {
  const { body, anonymous } = opOf(name)
  return body && !anonymous ? referencesIn(body).map((at) => `${name} ${at}`) : []
})

let insider: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  const owner = await bed.signIn('member')
  const { silo_id } = (await owner.get('/v1/me')).body
  ids = { ...(await furnishProject(owner, 'hidden')), ...(await furnishSilo(bed, silo_id)) }
  const { project = '' } = await furnishProject(owner, 'mine')
  insider = await bed.addUser('insider', { roles: [{ at: { project }, role: 'admin' }] })
})
afterAll(() => bed.stop())

test('every field that may name an object is covered, or is never looked up outside the project', () => {
  expect([...Object.keys(referring), ...Object.keys(notOutside)].sort()).toEqual(found.sort())
})

test.each(Object.entries(referring))('%s', async (reference, { hidden, body }) => {
  const name = reference.split(' ')[0] as OpName
  const given = Object.fromEntries(
    selectorsOf(opOf(name)).map((key) => [key, key === 'project' ? 'mine' : nameOf(key)]),
  )
  const answers: string[] = []
  for (const one of [hidden(), crypto.randomUUID()])
    answers.push((await disclosed(bed, insider, name, given, body(one))).replaceAll(one, '<id>'))
  expect(answers[0]).toMatch(/^\[404,.*not found: [a-z-]+ with id \\"<id>/)
  expect(answers[1]).toBe(answers[0])
})
