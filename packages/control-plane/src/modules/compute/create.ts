import type { InstanceCreate, InstanceDisk } from '@gantry/api/instance'
import { hardwareProblem, instanceLimits } from '@gantry/api/instance.rules'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import { type Change, change, type Scope } from '../../kernel/change.ts'
import type { Cx } from '../../kernel/cx.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { need, type Selectors } from '../../kernel/need.ts'
import { invalid, invalidValue, notFound, refuseIf } from '../../kernel/refusal.ts'
import {
  allocateEphemeral,
  allocateSnat,
  attachFloating,
  externalIpRequestProblem,
} from '../network/external-ips.ts'
import { createInterfaces, interfaceRequestProblem } from '../network/interfaces.ts'
import { type Origin, resolveSource } from '../storage/disk-source.ts'
import { insertDisk } from '../storage/disks.ts'
import { attachDisk } from './disks.ts'
import { moveTo, tryStart } from './lifecycle.ts'
import { readPreferences, reserveSled } from './reserve.ts'

type Instance = Row<'instance'>

/** A disk of the request with its source looked up, so that nothing is written before all of it is known good. */
type ReadyDisk =
  | { type: 'attach'; name: string }
  | { type: 'create'; body: Extract<InstanceDisk, { type: 'create' }>; origin: Origin }

export function refuseHardware(ncpus: number, memory: number): void {
  const problem = hardwareProblem(ncpus, memory)
  if (problem) throw problem.label ? invalidValue(problem.label, problem.reason) : invalid(problem.reason)
}

/**
 * Creates an instance with all that it is to have, or nothing at all (control plane reference, B 3.4). A start
 * that fails does not undo the creation: the instance is there, failed, with the reason.
 */
export async function createInstance(cx: Cx, at: Selectors, body: InstanceCreate): Promise<Instance> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const ready = await prepare(cx, scope, project, body)
  const size = { ncpus: body.ncpus, memory: body.memory }
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    // Sleds are locked before quotas, here as in every start.
    const wishes = await readPreferences(tx.read, { affinity: [], anti_affinity: ready.groups })
    const room = body.start ? await reserveSled(tx, size, wishes) : undefined
    const instance = await insertInstance(tx, project.id, body)
    await joinUp(tx, instance, ready)
    await createInterfaces(tx, instance, project, body.network_interfaces)
    await allocateSnat(tx, project.silo_id, instance.id)
    for (const wanted of body.external_ips) {
      if (wanted.type === 'ephemeral')
        await allocateEphemeral(tx, project.silo_id, instance.id, wanted.pool ?? undefined)
      else await attachFloating(tx, project, instance, wanted.floating_ip)
    }
    const disks: Row<'disk'>[] = []
    for (const disk of ready.disks) disks.push(await addDisk(tx, project, instance, disk))
    const [boot] = body.boot_disk ? disks : []
    const made = await moveTo(tx, instance, 'stopped', { boot_disk_id: boot?.id ?? null })
    if (!room) return made
    const started = 'refusal' in room ? room : await tryStart(tx, made, project.silo_id, room.sledId)
    if ('instance' in started) return started.instance
    return moveTo(tx, made, 'failed', { failure: JSON.stringify(failureOf(started.refusal, cx.now())) })
  })
}

/** Everything that can be refused before anything is written, in the order of the reference. */
async function prepare(cx: Cx, scope: Scope, project: Row<'project'>, body: InstanceCreate) {
  refuseHardware(body.ncpus, body.memory)
  const wanted = [...(body.boot_disk ? [body.boot_disk] : []), ...body.disks]
  if (wanted.length > instanceLimits.disks)
    throw invalid(`cannot attach more than ${instanceLimits.disks} disks to instance`)
  const disks: ReadyDisk[] = []
  for (const disk of wanted) {
    if (disk.type === 'attach') disks.push(disk)
    else disks.push({ type: 'create', body: disk, origin: await resolveSource(cx, scope, disk) })
  }
  refuseIf(externalIpRequestProblem(body.external_ips))
  refuseIf(interfaceRequestProblem(body.network_interfaces))
  return {
    disks,
    keys: await resolveKeys(cx, body.ssh_public_keys),
    groups: await resolveGroups(cx, project, body.anti_affinity_groups),
  }
}

/** Null or absent: every key the caller has now; an empty list: none. */
async function resolveKeys(cx: Cx, wanted: readonly string[] | null | undefined): Promise<string[]> {
  const { user_id } = cx.user()
  const rows = await cx.db
    .selectFrom('ssh_key')
    .select(['id', 'name'])
    .where('silo_user_id', '=', user_id)
    .where('time_deleted', 'is', null)
    .execute()
  const keys = wanted
    ? wanted.map((selector) => {
        const found = rows.find((row) =>
          isUuid(selector) ? row.id === canonicalUuid(selector) : row.name === selector,
        )
        if (!found)
          throw notFound('ssh-key', isUuid(selector) ? { id: canonicalUuid(selector) } : { name: selector })
        return found.id
      })
    : rows.map((row) => row.id)
  const unique = [...new Set(keys)]
  if (unique.length > instanceLimits.sshKeys)
    throw invalid(
      `cannot attach more than ${instanceLimits.sshKeys} ssh keys to the instance`,
      'Name the keys to use.',
    )
  return unique
}

async function resolveGroups(cx: Cx, project: Row<'project'>, wanted: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const selector of wanted) {
    const at = isUuid(selector) ? {} : { project: project.id }
    const { row } = await need(cx, 'anti_affinity_group', { anti_affinity_group: selector, ...at }, 'modify')
    if (row.project_id !== project.id) throw notFound('anti-affinity-group', { id: row.id })
    ids.push(row.id)
  }
  return [...new Set(ids)]
}

const insertInstance = (tx: Change, project_id: string, body: InstanceCreate): Promise<Instance> =>
  tx.insert('instance', {
    name: body.name,
    description: body.description,
    project_id,
    ncpus: body.ncpus,
    memory: body.memory,
    hostname: body.hostname,
    user_data: body.user_data,
    boot_disk_id: null,
    run_state: 'creating',
    time_run_state_updated: tx.cx.now(),
    intended_state: body.start ? 'running' : 'stopped',
    auto_restart_policy: body.auto_restart_policy ?? null,
    time_last_auto_restarted: null,
    vmm_id: null,
  })

const maxMembers = 32
const maxGroups = 16

async function joinUp(
  tx: Change,
  instance: Instance,
  { keys, groups }: { keys: string[]; groups: string[] },
): Promise<void> {
  if (keys.length > 0)
    await tx.plain
      .insertInto('instance_ssh_key')
      .values(keys.map((ssh_key_id) => ({ instance_id: instance.id, ssh_key_id })))
      .execute()
  if (groups.length > maxGroups)
    throw invalid(`Instance already belongs to maximum allowed anti-affinity groups (${maxGroups})`)
  for (const group_id of [...groups].sort()) {
    // Held, so that two instances cannot both take a group's last place.
    const group = await tx.lock('anti_affinity_group', group_id)
    const { count } = await tx.plain
      .selectFrom('anti_affinity_member')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('group_id', '=', group_id)
      .executeTakeFirstOrThrow()
    if (count >= maxMembers)
      throw invalid(`Anti-affinity group already has maximum allowed members (${maxMembers})`)
    await tx.plain
      .insertInto('anti_affinity_member')
      .values({ group_id: group.id, instance_id: instance.id })
      .execute()
    tx.note('anti-affinity-group-member', group.id, undefined, { instance_id: instance.id })
  }
}

async function addDisk(
  tx: Change,
  project: Row<'project'>,
  instance: Instance,
  wanted: ReadyDisk,
): Promise<Row<'disk'>> {
  if (wanted.type === 'create') {
    if (wanted.origin.importing)
      throw invalid('a disk that waits for an import cannot be attached', 'Import it first.')
    const { disk } = await insertDisk(tx, project, wanted.body, wanted.origin, { attachedTo: instance.id })
    return disk
  }
  const found = await tx.read
    .selectFrom('disk')
    .select('id')
    .where('project_id', '=', project.id)
    .where('name', '=', wanted.name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) throw notFound('disk', { name: wanted.name })
  return attachDisk(tx, instance, await tx.lock('disk', found.id))
}
