import { switchLocations } from '@gantry/api/rack-network/address-lot.rules'
import { portName, portsPerSwitch } from '@gantry/api/rack-network/switch-port.rules'
import { GiB, TiB } from '@gantry/api/base/bytes.rules'
import { utilizationFactor } from '@gantry/api/system/hardware.rules'
import type { Row } from '../db/tables.ts'
import type { SeedKind } from '../environment.ts'
import type { Host } from '../fleet/hosts.ts'
import { change, type Change } from '../change/change.ts'
import { type Cx, systemCx } from '../context/cx.ts'
import type { Services } from '../context/services.ts'
import { insertInner, textOfKey } from '../modules/backups/opened.ts'
import { insertSilo } from '../modules/silo/insert.ts'
import { insertSleds } from '../modules/hardware/parts.ts'
import { recordMembers } from '../modules/hardware/rack-membership.ts'
import { rangeRow } from '../modules/ip-pools/range-row.ts'
import { memberRow } from '../modules/subnet-pools/member-row.ts'
import { createDefaultVpc } from '../modules/network/records/default-vpc.ts'
import { demoImages, makeImageContent } from '../modules/storage/demo-images.ts'
import { bootFactsOf } from '../modules/storage/hardware/image-hardware.ts'
import { grant, insertUser, onFleet, onProject, onSilo } from './people.ts'
import { makeWorldKeys, seedWorld } from './world.ts'
import { newSled } from './world-sleds.ts'

const noScope = { silo_id: null, project_id: null }
const sledCount = 8
/** 198.51.100.0/24 is reserved for documentation (RFC 5737), so nothing real is there. */
const demoRange = { first: '198.51.100.1', last: '198.51.100.254' }

/** Part of a block for benchmarks (RFC 2544), likewise. */
const demoSubnet = '198.18.64.0/20'

/** Fills an empty database; false when there is a silo already. */
export async function seed(services: Services, kind: SeedKind, password: string): Promise<boolean> {
  const cx = systemCx(services, 'seed')
  const { isSimulated } = services.fleet
  if (await cx.db.selectFrom('silo').select('id').limit(1).executeTakeFirst()) return false
  // Bytes first, so that records never refer to missing contents.
  const [hash, images, keys, quotas] = await Promise.all([
    services.passwords.hash(password),
    kind === 'recovery' ? [] : writeImages(cx),
    kind === 'demo' && isSimulated ? makeWorldKeys(cx) : undefined,
    demoQuotas(services),
  ])
  const isSeeded = await change(cx, noScope, async (tx) => {
    // Two processes may start at once on an empty database: the second finds the first one's fleet.
    const first = await tx.plain
      .insertInto('counter')
      .values({ name: 'seeded', value: 1 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (first.numInsertedOrUpdatedRows === 0n) return false
    if (isSimulated) await seedRack(tx)
    if (kind === 'recovery') await seedRecovery(tx, hash)
    else await seedDemo(tx, hash, images, quotas, isSimulated)
    if (kind !== 'recovery' && services.backupStores.isTemporary) await seedBackupTarget(tx)
    if (keys) await seedWorld(tx, hash, keys)
    tx.at(noScope)
    await seedServicePool(tx)
    return true
  })
  if (!isSeeded) for (const { content_id } of images) await cx.services.blocks.remove(content_id)
  return isSeeded
}

type Quotas = Record<'cpus' | 'memory' | 'storage', number>

/** The quotas of the demo silo; of real hosts no more than they have. */
async function demoQuotas({ fleet, settings }: Services): Promise<Quotas> {
  const hosts = await fleet.hosts?.list()
  if (!hosts) return { cpus: 256, memory: 1 * TiB, storage: 20 * TiB }
  const sumOf = (amount: (host: Host) => number): number => hosts.reduce((sum, host) => sum + amount(host), 0)
  const storage = utilizationFactor * sumOf((host) => host.storage)
  return {
    cpus: sumOf(({ threads }) => threads) * settings.fleet.vcpus_per_thread,
    memory: sumOf(({ reservoir }) => reservoir),
    storage: Math.floor(storage / GiB) * GiB,
  }
}

/** The simulated rack; others find their hosts themselves. */
async function seedRack(tx: Change): Promise<void> {
  const { id: rack_id } = await tx.insert('rack', {})
  for (const serial of ['GW-001', 'GW-002'])
    await tx.insert('switch', { serial, part: 'gantry-switch', revision: 1, rack_id })
  await tx.insertAll('switch_port', portsOfRack(rack_id))
  const numbers = Array.from({ length: sledCount }, (_, index) => index + 1)
  await insertSleds(
    tx,
    numbers.map((number) => newSled(number, rack_id)),
  )
  await recordMembers(tx, rack_id)
}

/** Other fleets deliver nothing to external subnets. */
async function seedSubnetPool(tx: Change, silo: Row<'silo'>): Promise<void> {
  const pool = await tx.insert('subnet_pool', {
    name: 'external',
    description: 'Subnets that are routed to instances',
    ip_version: 'v4',
  })
  const member = { subnet: demoSubnet, minPrefixLength: 24, maxPrefixLength: 32 }
  await tx.plain
    .insertInto('subnet_pool_member')
    .values(memberRow(tx.cx.newId(), pool.id, member, tx.cx.now()))
    .execute()
  const link = { subnet_pool_id: pool.id, silo_id: silo.id, ip_version: pool.ip_version, is_default: true }
  await tx.plain.insertInto('subnet_pool_silo').values(link).execute()
}

const portsOfRack = (rack_id: string) =>
  switchLocations.flatMap((switch_location) =>
    Array.from({ length: portsPerSwitch }, (_, index) => ({
      rack_id,
      switch_location,
      port_name: portName(index),
    })),
  )

/** A place for backups that lasts as long as all else here. */
async function seedBackupTarget(tx: Change): Promise<void> {
  const { seal, random } = tx.cx.services
  tx.at(noScope)
  const { id } = await tx.insert('backup_target', {
    name: 'demo-backups',
    description: 'Backups of instances, for as long as this demo lasts',
    place: JSON.stringify({ type: 'folder', folder: 'backups' }),
    is_default: true,
  })
  await insertInner(tx, id, { encryption_key: await seal.seal(textOfKey(random(32))), secret: '' })
}

/** Addresses for the rack's own services, from a block for documentation (RFC 5737). */
async function seedServicePool(tx: Change): Promise<void> {
  const pool = await tx.insert('ip_pool', {
    name: 'service-pool',
    description: "Addresses of the rack's own services",
    is_service: true,
  })
  const range = { first: '192.0.2.1', last: '192.0.2.14' }
  await tx.plain
    .insertInto('ip_pool_range')
    .values(rangeRow(tx.cx.newId(), pool.id, range, tx.cx.now()))
    .execute()
}

/** The operator's way in when nothing else exists yet (control plane reference, A 7). */
async function seedRecovery(tx: Change, hash: string): Promise<void> {
  const silo = await insertSilo(tx, {
    name: 'recovery',
    description: 'Initial silo',
    discoverable: false,
    identity_mode: 'local_only',
    mapped_fleet_roles: { admin: ['admin'] },
    quotas: { cpus: 0, memory: 0, storage: 0 },
  })
  await grant(tx, await insertUser(tx, silo.id, 'recovery', hash), onSilo(silo, 'admin'))
}

async function seedDemo(
  tx: Change,
  hash: string,
  images: readonly FirstRow[],
  quotas: Quotas,
  isSimulated: boolean,
): Promise<void> {
  const silo = await insertSilo(tx, {
    name: 'demo',
    description: 'A silo for trying things out',
    discoverable: true,
    identity_mode: 'local_only',
    mapped_fleet_roles: {},
    quotas,
  })
  tx.at({ silo_id: silo.id, project_id: null })
  const admin = await insertUser(tx, silo.id, 'admin', hash)
  await grant(tx, admin, onFleet('admin'))
  await grant(tx, admin, onSilo(silo, 'admin'))
  await grant(tx, await insertUser(tx, silo.id, 'member', hash), onSilo(silo, 'collaborator'))
  await grant(tx, await insertUser(tx, silo.id, 'viewer', hash), onSilo(silo, 'viewer'))

  const pool = await tx.insert('ip_pool', {
    name: 'external',
    description: 'Externally reachable addresses',
  })
  await tx.plain
    .insertInto('ip_pool_range')
    .values(rangeRow(tx.cx.newId(), pool.id, demoRange, tx.cx.now()))
    .execute()
  await tx.plain
    .insertInto('ip_pool_silo')
    .values({ ip_pool_id: pool.id, silo_id: silo.id, is_default: true })
    .execute()

  if (isSimulated) await seedSubnetPool(tx, silo)

  for (const image of images) await tx.insert('image', { ...image, silo_id: silo.id, project_id: null })
  const project = await tx.insert('project', {
    name: 'playground',
    description: 'A project to get started',
    silo_id: silo.id,
  })
  tx.at({ silo_id: silo.id, project_id: project.id })
  await tx.plain.insertInto('provisioning').values({ id: project.id, kind: 'project' }).execute()
  await createDefaultVpc(tx, project)
  tx.at({ silo_id: silo.id, project_id: null })
  await seedGroups(tx, hash, silo, project)
}

/** Users who have their roles through groups, and one who belongs to two. */
async function seedGroups(
  tx: Change,
  hash: string,
  silo: Row<'silo'>,
  project: Row<'project'>,
): Promise<void> {
  const engineers = await tx.insert('silo_group', { silo_id: silo.id, external_id: 'engineers' })
  const auditors = await tx.insert('silo_group', { silo_id: silo.id, external_id: 'auditors' })
  await grant(tx, engineers.id, onProject(project, 'collaborator'), 'group')
  await grant(tx, auditors.id, onSilo(silo, 'viewer'), 'group')
  const memberships = { ines: [engineers], omar: [engineers, auditors], petra: [auditors] }
  for (const [name, groups] of Object.entries(memberships)) {
    const silo_user_id = await insertUser(tx, silo.id, name, hash)
    for (const { id } of groups)
      await tx.roles.insertInto('silo_group_membership').values({ silo_user_id, silo_group_id: id }).execute()
    if (name === 'ines') await grant(tx, silo_user_id, onProject(project, 'admin'))
  }
}

type FirstRow = Pick<
  Row<'image'>,
  'name' | 'description' | 'os' | 'version' | 'block_size' | 'size' | 'content_id' | 'boot_record' | 'cd'
>

/** Images of the simulated rack boot only there; a real fleet may come with one. */
async function writeImages(cx: Cx): Promise<FirstRow[]> {
  const { fleet, blocks, demoImage } = cx.services
  const rows: FirstRow[] = []
  const first = fleet.isSimulated ? undefined : await demoImage?.()
  if (fleet.isSimulated)
    for (const image of demoImages) {
      const content_id = cx.newId()
      await makeImageContent(blocks, content_id, image)
      rows.push({
        ...image,
        content_id,
        ...(await bootFactsOf(cx.services, { ...image, content_id })),
      })
    }
  else if (first) {
    const { write, ...image } = first
    const content_id = cx.newId()
    const size = await write(content_id)
    rows.push({
      ...image,
      content_id,
      size,
      ...(await bootFactsOf(cx.services, { content_id, size })),
    })
  }
  return rows
}
