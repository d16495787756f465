import { sql } from 'kysely'
import type { Change } from '@gantry/control-plane/change/change'
import type { Services } from '@gantry/control-plane/context/services'
import type { Reader } from '@gantry/control-plane/db/database'
import { daysAgo, forgetOlder } from '@gantry/control-plane/db/retention'
import type { Refusal } from '@gantry/control-plane/context/refusal'
import {
  type Candidate,
  place,
  type Preferences,
  type Requirements,
  storageReason,
} from '@gantry/control-plane/fleet/placement'
import { isOutOfReach } from '../../hardware/out-of-reach.ts'
import { freePhysicalDisks } from './local-disks.ts'
import { vcpusOfSled } from '../../hardware/overcommit.ts'
import { affinity, antiAffinity, type Family } from '../../affinity/families.ts'

type Room = Pick<Requirements, 'ncpus' | 'memory'>

/** Every sled with its free capacity, that of its physical disks only where it matters. */
export async function readCandidates(
  db: Reader,
  { local }: Pick<Requirements, 'local'> = {},
): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('sled')
    .innerJoin('sled_usage', 'sled_usage.sled_id', 'sled.id')
    .select(['sled.id', 'sled.serial', 'sled.is_provisionable', 'sled.cpu_family'])
    .select([isOutOfReach.as('is_lost'), vcpusOfSled.as('vcpus')])
    .select(['sled.reservoir_size', 'sled_usage.threads', 'sled_usage.memory'])
    .where('sled.time_deleted', 'is', null)
    .where('sled.policy', '=', 'in_service')
    .orderBy('sled.serial')
    .execute()
  const disks = local ? await freePhysicalDisks(db) : []
  return rows.map((row) => ({
    id: row.id,
    serial: row.serial,
    is_provisionable: row.is_provisionable,
    is_lost: row.is_lost,
    cpu_family: row.cpu_family,
    free_vcpus: row.vcpus - row.threads,
    free_memory: row.reservoir_size - row.memory,
    free_storage: disks.filter(({ sled_id }) => sled_id === row.id).map(({ free }) => free),
  }))
}

/** The groups that affect a placement, by family. */
export interface Groups {
  affinity: readonly string[]
  anti_affinity: readonly string[]
}

/** Sleds with running members of the groups, other than the instance itself. */
export async function readPreferences(db: Reader, groups: Groups, instanceId?: string): Promise<Preferences> {
  const others = instanceId ? sql`m.instance_id <> ${instanceId}` : sql`true`
  const sledsOf = async (
    family: Family,
    groupIds: readonly string[],
    policy: 'allow' | 'fail',
  ): Promise<Set<string>> => {
    if (groupIds.length === 0) return new Set()
    const { rows } = await sql<{ sled_id: string }>`
      SELECT v.sled_id FROM ${sql.table(family.members)} m
      JOIN ${sql.table(family.groups)} g ON g.id = m.group_id
      JOIN vmm v ON v.instance_id = m.instance_id AND v.time_gone IS NULL
      WHERE g.id IN (${sql.join(groupIds)}) AND g.policy = ${policy} AND ${others}`.execute(db)
    return new Set(rows.map((row) => row.sled_id))
  }
  return {
    banned: await sledsOf(antiAffinity, groups.anti_affinity, 'fail'),
    unpreferred: await sledsOf(antiAffinity, groups.anti_affinity, 'allow'),
    required: await sledsOf(affinity, groups.affinity, 'fail'),
    preferred: await sledsOf(affinity, groups.affinity, 'allow'),
  }
}

/**
 * The placement preferences of an instance; locks its groups, so that other members choose after it. Requires
 * a lock on the instance.
 */
export async function preferencesOf(tx: Change, instanceId: string): Promise<Preferences> {
  const groupsOf = async (family: Family): Promise<string[]> => {
    const rows = await tx.read
      .selectFrom(family.members)
      .innerJoin(`${family.groups} as g` as const, 'g.id', 'group_id')
      .select('g.id')
      .where('instance_id', '=', instanceId)
      .orderBy('g.id')
      .forUpdate(['g'])
      .execute()
    return rows.map((row) => row.id)
  }
  const groups = { affinity: await groupsOf(affinity), anti_affinity: await groupsOf(antiAffinity) }
  return readPreferences(tx.read, groups, instanceId)
}

/**
 * Reserves capacity on a sled, or says why none has it. The sled's usage is checked again on reservation, so
 * two instances cannot both take the last of it.
 */
export async function reserveSled(
  tx: Change,
  wanted: Requirements,
  wishes: Preferences,
): Promise<{ sledId: string } | { refusal: Refusal }> {
  // Each round ends with a reservation, or with one candidate fewer.
  for (;;) {
    const chosen = place(await readCandidates(tx.read, wanted), wanted, wishes)
    if ('refusal' in chosen) return chosen
    const { id } = chosen.sled
    if (!(await takeRoom(tx, id, wanted))) continue
    if (await stillFits(tx, id, wanted)) return { sledId: id }
    await useSled(tx, id, wanted, -1)
  }
}

/**
 * Whether the sled still had capacity once its row was locked. The sled is held too: it may be drained meanwhile, and a
 * drain ends only once everything that was placed before is there to be moved.
 */
async function takeRoom(tx: Change, sledId: string, { ncpus, memory }: Room): Promise<boolean> {
  const { rows } = await sql`
    UPDATE sled_usage u SET threads = u.threads + ${ncpus}::int8, memory = u.memory + ${memory}::int8
    FROM (SELECT id, ${vcpusOfSled} AS vcpus, reservoir_size FROM sled WHERE id = ${sledId}
      AND time_deleted IS NULL AND policy = 'in_service' AND is_provisionable FOR SHARE) s
    WHERE u.sled_id = s.id
      AND s.vcpus - u.threads >= ${ncpus}::int8 AND s.reservoir_size - u.memory >= ${memory}::int8
    RETURNING u.sled_id`.execute(tx.plain)
  return rows.length > 0
}

/** Whether its physical disks still have room for the local disks, now that nothing else is placed on the sled. */
async function stillFits(tx: Change, sledId: string, { local }: Requirements): Promise<boolean> {
  if (!local) return true
  const free_storage = (await freePhysicalDisks(tx.read, sledId)).map(({ free }) => free)
  return storageReason({ id: sledId, free_storage }, local) === undefined
}

/** Adds a VM to a sled's usage, or subtracts it. */
export async function useSled(
  tx: Change,
  sledId: string,
  { ncpus, memory }: Room,
  sign: 1 | -1,
): Promise<void> {
  await tx.plain
    .updateTable('sled_usage')
    .set((eb) => ({ threads: eb('threads', '+', sign * ncpus), memory: eb('memory', '+', sign * memory) }))
    .where('sled_id', '=', sledId)
    .execute()
}

/** Deletes the reservations of virtual machines that ended long ago. */
export const forgetEndedMachines = (services: Services): Promise<void> =>
  forgetOlder(services, {
    table: 'vmm',
    time: 'time_gone',
    before: daysAgo(services, services.settings.retention.ended_machine_days),
  })
