import type { RoleName } from '@gantry/api/roles.rules'
import { GiB, TiB } from '@gantry/api/bytes.rules'
import { fleetId } from '../authz/actor.ts'
import type { NewRow, Row } from '../db/tables.ts'
import type { SeedKind } from '../environment.ts'
import { change, type Change } from '../kernel/change.ts'
import { type Cx, type Services, systemCx } from '../kernel/cx.ts'
import { insertSilo } from '../modules/silo/insert.ts'
import { createDefaultVpc } from '../modules/network/default-vpc.ts'
import { demoImages, makeImageContent } from './images.ts'

const noScope = { silo_id: null, project_id: null }
const sledCount = 8

/** The first contents of an empty database; false when there is a silo already. */
export async function seed(services: Services, kind: SeedKind, password: string): Promise<boolean> {
  const cx = systemCx(services, 'seed')
  if (await cx.db.selectFrom('silo').select('id').limit(1).executeTakeFirst()) return false
  const hash = await services.passwords.hash(password)
  // Bytes first: what the records speak of exists when they do.
  const images = kind === 'demo' ? await writeImages(cx) : []
  const isSeeded = await change(cx, noScope, async (tx) => {
    // Two processes may start at once on an empty database: whoever comes second finds the first one's fleet.
    const first = await tx.plain
      .insertInto('counter')
      .values({ name: 'seeded', value: 1 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    if (first.numInsertedOrUpdatedRows === 0n) return false
    await seedFleet(tx)
    if (kind === 'recovery') await seedRecovery(tx, hash)
    else await seedDemo(tx, hash, images)
    return true
  })
  if (!isSeeded) for (const id of images) await cx.services.blocks.remove(id)
  return isSeeded
}

async function seedFleet(tx: Change): Promise<void> {
  for (let number = 1; number <= sledCount; number++) {
    const sled = await tx.insert('sled', {
      serial: `GS-${String(number).padStart(3, '0')}`,
      usable_hardware_threads: 128,
      usable_physical_ram: 1024 * GiB,
      reservoir_size: 819 * GiB,
      is_provisionable: true,
    })
    await tx.plain.insertInto('sled_usage').values({ sled_id: sled.id }).execute()
  }
}

async function insertUser(tx: Change, silo_id: string, external_id: string, hash: string): Promise<string> {
  const user = await tx.insert('silo_user', { silo_id, external_id })
  await tx.plain.insertInto('silo_user_password').values({ silo_user_id: user.id, hash }).execute()
  return user.id
}

type Assigned = Pick<NewRow<'role_assignment'>, 'resource_type' | 'resource_id' | 'role_name'>

const grant = (tx: Change, identity_id: string, assigned: Assigned, identity: 'user' | 'group' = 'user') =>
  tx.roles
    .insertInto('role_assignment')
    .values({ ...assigned, identity_type: `silo_${identity}`, identity_id })
    .execute()

const onFleet = (role_name: RoleName): Assigned => ({
  resource_type: 'fleet',
  resource_id: fleetId,
  role_name,
})
const onSilo = ({ id }: Row<'silo'>, role_name: RoleName): Assigned => ({
  resource_type: 'silo',
  resource_id: id,
  role_name,
})
const onProject = ({ id }: Row<'project'>, role_name: RoleName): Assigned => ({
  resource_type: 'project',
  resource_id: id,
  role_name,
})

/** Where an operator gets in when nothing else is there yet (control plane reference, A 7). */
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

async function seedDemo(tx: Change, hash: string, contents: readonly string[]): Promise<void> {
  const silo = await insertSilo(tx, {
    name: 'demo',
    description: 'A silo for trying things out',
    discoverable: true,
    identity_mode: 'local_only',
    mapped_fleet_roles: {},
    quotas: { cpus: 256, memory: 1 * TiB, storage: 20 * TiB },
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
    .values({
      id: tx.cx.newId(),
      ip_pool_id: pool.id,
      // 198.51.100.0/24 is set aside for documentation (RFC 5737): nobody is there.
      first_ip: '198.51.100.1',
      last_ip: '198.51.100.254',
      first_int: 0xc6336401,
      last_int: 0xc63364fe,
      time_created: tx.cx.now(),
    })
    .execute()
  await tx.plain
    .insertInto('ip_pool_silo')
    .values({ ip_pool_id: pool.id, silo_id: silo.id, is_default: true })
    .execute()

  for (const [index, image] of demoImages.entries()) {
    await tx.insert('image', {
      ...image,
      silo_id: silo.id,
      project_id: null,
      content_id: contents[index] ?? '',
    })
  }
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

/** People who have their roles through groups, and one who has two of them. */
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

async function writeImages(cx: Cx): Promise<string[]> {
  const ids: string[] = []
  for (const image of demoImages) {
    const id = cx.newId()
    await makeImageContent(cx.services.blocks, id, image)
    ids.push(id)
  }
  return ids
}
