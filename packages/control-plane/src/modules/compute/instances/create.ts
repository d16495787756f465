import type { InstanceCreate, InstanceDisk } from '@gantry/api/compute/instance'
import { firmwareOfInstaller } from '@gantry/api/compute/boot-order.rules'
import { hardwareProblem, instanceLimits } from '@gantry/api/compute/instance.rules'
import { type Hardware, usualHardware } from '@gantry/api/storage/hardware.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import type { LocalNeeds } from '@gantry/control-plane/fleet/placement'
import { nextSlot } from '@gantry/control-plane/fleet/disk-slots'
import { type Change, change, type Scope } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { reasonOf } from '@gantry/control-plane/work/jobs'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid, invalidValue, notFound, refuseIf } from '@gantry/control-plane/context/refusal'
import { affinity, antiAffinity } from '../../affinity/families.ts'
import { lockGroups, resolveGroups } from '../../affinity/groups.ts'
import { join } from '../../affinity/members.ts'
import { allocateSnat } from '../../network/addresses/external-ips.ts'
import { externalIpRequestProblem, giveExternalIps } from '../../network/addresses/requested-ips.ts'
import { needMulticast, setGroups } from '../../multicast/members.ts'
import { createInterfaces, interfaceRequestProblem } from '../../network/records/interfaces.ts'
import { type Origin, resolveSource } from '../../storage/disk-source.ts'
import { refuseOverQuota, refuseOverQuotaEarly } from '../../silo/quota.ts'
import { insertDisk } from '../../storage/disks.ts'
import { attachDisk } from './disks.ts'
import { holdCds, kindOfCd, needCds, storedCds } from '../hardware/cds.ts'
import { given, storedChoice } from '../hardware/choice.ts'
import { refuseChoice } from '../hardware/refuse-choice.ts'
import { refuseWithoutFirmware } from '../machines/firmware.ts'
import { localDisksIn, needsOf, placeLocalDisks } from '../machines/local-disks.ts'
import { moveTo } from '../machines/lifecycle.ts'
import { readPreferences, reserveSled } from '../machines/reserve.ts'
import { startOn } from '../machines/start.ts'
import { needJumboFrames } from '../../system-network/networking-settings.ts'

type Instance = Row<'instance'>

/** A requested disk with its source resolved, so that everything is validated before anything is written. */
type ReadyDisk =
  | { type: 'attach'; id: string | undefined; name: string }
  | { type: 'create'; id: string; body: Extract<InstanceDisk, { type: 'create' }>; origin: Origin }

export function refuseHardware(ncpus: number, memory: number): void {
  const problem = hardwareProblem(ncpus, memory)
  if (problem) throw problem.label ? invalidValue(problem.label, problem.reason) : invalid(problem.reason)
}

/**
 * Creates an instance with everything requested, or nothing at all (control plane reference, B 3.4). A start that no
 * sled has room for does not undo the creation: the instance exists, failed, with the reason. One that the quota does
 * not allow does, so that the limits of a silo leave nothing behind that the operator would see.
 */
export async function createInstance(
  cx: Cx,
  at: Selectors,
  body: InstanceCreate,
  /** What a request cannot name: SSH keys of any user, and affinity groups, by their ids. */
  more: { keys?: readonly string[]; affinity_groups?: readonly string[] } = {},
): Promise<Instance> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const ready = await prepare(cx, scope, project, body)
  const affinityIds = await resolveGroups(cx, affinity, project, more.affinity_groups ?? [], 'modify')
  const size = { ncpus: body.ncpus, memory: body.memory, cpu_platform: body.cpu_platform ?? null }
  const charged = { cpus: size.ncpus, memory: size.memory }
  if (body.start) await refuseOverQuotaEarly(cx, project.silo_id, charged)
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    // Lock order: groups before sleds, and sleds before quotas, as in every start.
    const together = await lockGroups(tx, affinity, affinityIds)
    const groups = await lockGroups(tx, antiAffinity, ready.groups)
    const wishes = await readPreferences(tx.read, { affinity: affinityIds, anti_affinity: ready.groups })
    const local = body.start ? await localNeeds(tx, ready.disks) : undefined
    const room = body.start ? await reserveSled(tx, { ...size, local }, wishes) : undefined
    await holdCds(tx, ready.cds)
    const instance = await insertInstance(tx, project.id, body, ready)
    await giveKeys(tx, instance, [...ready.keys, ...(more.keys ?? [])])
    for (const group of together) await join(tx, affinity, group, instance)
    for (const group of groups) await join(tx, antiAffinity, group, instance)
    const [primary] = await createInterfaces(tx, instance, project, body.network_interfaces)
    // Connections are translated for IPv4 alone.
    if (primary?.ip !== null) await allocateSnat(tx, project.silo_id, instance.id)
    await giveExternalIps(tx, project, instance, primary, body.external_ips)
    await addDisks(tx, project, instance, ready.disks)
    if (body.multicast_groups.length > 0)
      await setGroups(tx, instance, project.silo_id, body.multicast_groups)
    if (!room) return instance
    await refuseWithoutFirmware(tx, instance)
    if ('sledId' in room && local) await placeLocalDisks(tx, instance.id, room.sledId)
    if ('sledId' in room) return startOn(tx, instance, { siloId: project.silo_id, sledId: room.sledId })
    await refuseOverQuota(tx.read, project.silo_id, charged)
    return moveTo(tx, instance, 'failed', { failure: JSON.stringify(reasonOf(room.refusal, cx.now())) })
  })
}

/** Everything that can be refused before anything is written, in the reference's order. */
async function prepare(cx: Cx, scope: Scope, project: Row<'project'>, body: InstanceCreate) {
  refuseHardware(body.ncpus, body.memory)
  if (body.cpu_platform) needCapability(cx.services.fleet, 'cpu_platforms')
  if (body.enable_jumbo_frames) await needJumboFrames(cx, cx.db)
  if (body.multicast_groups.length > 0) needMulticast(cx)
  const wanted = [...(body.boot_disk ? [body.boot_disk] : []), ...body.disks]
  if (wanted.length > instanceLimits.disks)
    throw invalid(`cannot attach more than ${instanceLimits.disks} disks to instance`)
  const disks: ReadyDisk[] = []
  for (const disk of wanted) {
    if (disk.type === 'attach') disks.push({ ...disk, id: await findDisk(cx, project, disk.name) })
    else
      disks.push({ type: 'create', id: cx.newId(), body: disk, origin: await resolveSource(cx, scope, disk) })
  }
  refuseIf(externalIpRequestProblem(body))
  refuseIf(interfaceRequestProblem(body.network_interfaces))
  const images = await needCds(cx, project.id, body.cds)
  return {
    disks,
    bootDiskId: (body.boot_disk && disks[0]?.id) ?? null,
    cds: images.map((image) => image?.id ?? null),
    hardware: await hardwareChoice(cx, body, disks[0], images),
    keys: await resolveKeys(cx, body.ssh_public_keys),
    groups: await resolveGroups(cx, antiAffinity, project, body.anti_affinity_groups, 'modify'),
  }
}

type Ready = Awaited<ReturnType<typeof prepare>>

/**
 * What is selected for the machines of a new instance. Where neither the request nor the boot disk says what finds its boot
 * loader, the installer in its drive does, and the installed system then has the same.
 */
async function hardwareChoice(
  cx: Cx,
  body: InstanceCreate,
  boot: ReadyDisk | undefined,
  images: readonly (Row<'image'> | null)[],
): Promise<Partial<Hardware>> {
  const choice = given(body.hardware)
  const ofDisk = body.boot_disk ? await hardwareOfReady(cx, boot) : null
  const kinds = await Promise.all(images.flatMap((image) => (image ? [kindOfCd(cx.services, image)] : [])))
  const firmware = choice.firmware ?? (ofDisk ? undefined : firmwareOfInstaller(kinds))
  const all = { ...choice, ...(firmware && { firmware }) }
  refuseChoice(cx, choice, { ...usualHardware, ...ofDisk, ...all })
  return all
}

async function hardwareOfReady(cx: Cx, disk: ReadyDisk | undefined): Promise<Hardware | null> {
  if (disk?.type !== 'attach') return disk?.origin.hardware ?? null
  const row = await cx.db
    .selectFrom('disk')
    .select('hardware')
    .where('id', '=', disk.id ?? null)
    .executeTakeFirst()
  return row?.hardware ?? null
}

/** What the local disks demand of a sled, those included that are yet to be created. */
async function localNeeds(tx: Change, disks: readonly ReadyDisk[]): Promise<LocalNeeds | undefined> {
  const ids = disks.flatMap((disk) => (disk.type === 'attach' && disk.id ? [disk.id] : []))
  const created = disks.flatMap((disk) =>
    disk.type === 'create' && disk.origin.disk_type === 'local'
      ? [{ size: disk.body.size, sled_id: null }]
      : [],
  )
  return needsOf([...created, ...(ids.length > 0 ? await localDisksIn(tx.read, ids) : [])])
}

/** A missing disk is refused later, in the reference's order. */
async function findDisk(cx: Cx, project: Row<'project'>, name: string): Promise<string | undefined> {
  const found = await cx.db
    .selectFrom('disk')
    .select('id')
    .where('project_id', '=', project.id)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return found?.id
}

/** Null or absent: all keys the caller has now; an empty list: none. */
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
      'Specify the keys to use.',
    )
  return unique
}

const insertInstance = (
  tx: Change,
  project_id: string,
  body: InstanceCreate,
  { bootDiskId: boot_disk_id, cds, hardware }: Pick<Ready, 'bootDiskId' | 'cds' | 'hardware'>,
): Promise<Instance> =>
  tx.insert('instance', {
    name: body.name,
    description: body.description,
    project_id,
    ncpus: body.ncpus,
    memory: body.memory,
    hostname: body.hostname,
    user_data: body.user_data,
    boot_disk_id,
    run_state: 'stopped',
    time_run_state_updated: tx.cx.now(),
    intended_state: body.start ? 'running' : 'stopped',
    auto_restart_policy: body.auto_restart_policy ?? null,
    cpu_platform: body.cpu_platform ?? null,
    enable_jumbo_frames: body.enable_jumbo_frames,
    time_last_auto_restarted: null,
    vmm_id: null,
    cds: storedCds(cds),
    hardware: storedChoice(hardware),
  })

async function giveKeys(tx: Change, instance: Instance, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const rows = keys.map((ssh_key_id) => ({ instance_id: instance.id, ssh_key_id }))
  await tx.plain.insertInto('instance_ssh_key').values(rows).execute()
}

/** Disks are created before any is attached, as in the reference; the boot disk is still the first. */
async function addDisks(
  tx: Change,
  project: Row<'project'>,
  instance: Instance,
  wanted: readonly ReadyDisk[],
): Promise<void> {
  // A new instance has no other disks.
  const slots: number[] = []
  for (const one of wanted) {
    if (one.type !== 'create') continue
    const slot = nextSlot(slots)
    await addNewDisk(tx, project, instance, slot, one)
    slots.push(slot)
  }
  for (const one of wanted) {
    if (one.type !== 'attach') continue
    if (!one.id) throw notFound('disk', { name: one.name })
    await attachDisk(tx, instance, await tx.lockById('disk', one.id))
  }
}

async function addNewDisk(
  tx: Change,
  project: Row<'project'>,
  instance: Instance,
  slot: number,
  { id, body, origin }: Extract<ReadyDisk, { type: 'create' }>,
): Promise<void> {
  if (origin.importing)
    throw invalid(`cannot attach disk "${body.name}": invalid state import_ready`, 'Import it first.')
  await insertDisk(tx, project, { ...body, id }, origin, { attachedTo: instance.id, slot })
}
