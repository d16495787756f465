import { diskAllows } from '@gantry/api/storage/disk.rules'
import { restoreWords } from '@gantry/api/history/recycle-bin.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Change } from '@gantry/control-plane/change/change'
import { Refusal } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { affinity, antiAffinity } from '../../affinity/families.ts'
import { join } from '../../affinity/members.ts'
import { attachmentProblem } from '../../external-subnets/service.ts'
import { attachDisk } from '../../compute/instances/disks.ts'
import { allocateSnat } from '../../network/addresses/external-ips.ts'
import { takeAddress, takeThisAddress } from '../../network/addresses/free-address.ts'
import { ip } from '../../packets/model.ts'
import { lockPool } from '../../network/addresses/pools.ts'
import { addressesOf } from '../../network/records/ip-stack.ts'
import { roomProblem } from '../../network/addresses/instance-ips.ts'
import { noteInterfaces, restoreInterface } from '../../network/records/interfaces.ts'
import { cdsOf, storedCds } from '../../compute/hardware/cds.ts'
import type { InstanceParts } from '../parts.ts'
import { deleted, holdParent, type Restoring, restorer } from './restorer.ts'

type Back = Restoring<'instance', InstanceParts>
type Instance = Row<'instance'>

export const instance = restorer<'instance', InstanceParts>('instance', async (restoring) => {
  const { tx, row, name, kept, tell } = restoring
  await holdParent(tx, 'project', row.project_id)
  const disks = await freeDisks(restoring)
  const boots = disks.some(({ id }) => id === row.boot_disk_id)
  const cds = await imagesLeft(restoring)
  const restored = await tx.restore('instance', row, {
    name,
    boot_disk_id: boots ? row.boot_disk_id : null,
    run_state: 'stopped',
    intended_state: 'stopped',
    time_run_state_updated: tx.cx.now(),
    failure: null,
    is_interrupted: false,
    vmm_id: null,
    cds: storedCds(cds),
  })
  if (row.boot_disk_id !== null && !boots)
    tell({ kind: 'instance', name, outcome: 'changed', detail: restoreWords.bootDiskGone })
  for (const disk of disks) await attachDisk(tx, restored, disk)
  for (const id of kept.removed?.network_interface ?? []) await bringInterface(restoring, id)
  await noteInterfaces(tx, restored.id)
  for (const id of kept.removed?.external_ip ?? []) await bringAddress(restoring, restored, id)
  for (const id of kept.floating_ips) await attachFloating(restoring, restored, id)
  for (const id of kept.external_subnets ?? []) await attachExternalSubnet(restoring, restored, id)
  for (const id of kept.groups) await joinAgain(restoring, restored, id)
  await keepKeys(tx, restored.id, kept.ssh_keys)
  tell({ kind: 'instance', name, outcome: 'changed', detail: restoreWords.stopped })
})

/** What is in its CD drives: an image that was deleted since is in none. */
async function imagesLeft({ tx, row }: Back): Promise<(string | null)[]> {
  const left: (string | null)[] = []
  for (const id of cdsOf(row)) {
    const image = id === null ? undefined : await tx.lockById('image', id).catch(ignoreNotFound)
    left.push(image?.id ?? null)
  }
  return left
}

/** The disks that it had and that nothing else has now, locked. */
async function freeDisks({ tx, kept, tell }: Back): Promise<Row<'disk'>[]> {
  const free: Row<'disk'>[] = []
  for (const id of kept.disks) {
    const disk = await tx.lockById('disk', id).catch(ignoreNotFound)
    const isFree = disk && disk.instance_id === null && allows(diskAllows, 'attach', disk.state)
    if (isFree) free.push(disk)
    const seen = disk ?? (await tx.lockDeleted('disk', id))
    if (!seen) continue
    const inBin = !disk && (await isRecycled(tx, id))
    const detail = disk ? restoreWords.attachedElsewhere : inBin ? restoreWords.inBin : restoreWords.deleted
    tell({
      kind: 'disk',
      id,
      name: seen.name,
      ...(isFree ? { outcome: 'back' } : { outcome: 'lost', detail }),
    })
  }
  return free
}

const isRecycled = async (tx: Change, objectId: string): Promise<boolean> =>
  (await tx.plain
    .selectFrom('recycled')
    .select('id')
    .where('object_id', '=', objectId)
    .executeTakeFirst()) !== undefined

async function bringInterface({ tx, tell }: Back, id: string): Promise<void> {
  const row = await tx.lockDeleted('network_interface', id)
  if (!row) return
  const kind = 'instance-network-interface'
  const now = await orFull(() => restoreInterface(tx, row))
  if (now === 'full') tell({ kind, name: row.name, outcome: 'lost', detail: restoreWords.noAddress })
  else if (!now) tell({ kind, name: row.name, outcome: 'lost', detail: restoreWords.subnetGone })
  else {
    const [before, after] = [row, now].map((one) => addressesOf(one).join(' and '))
    const detail = restoreWords.addressTaken(before ?? '', after ?? '')
    tell({
      kind,
      id,
      name: row.name,
      ...(before === after ? { outcome: 'back' } : { outcome: 'changed', detail }),
    })
  }
}

/** `full` if there is no room, which is no reason to lose the rest. */
async function orFull<Result>(run: () => Promise<Result>): Promise<Result | 'full'> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal) return 'full'
    throw error
  }
}

/** The address for outgoing connections is shared, so any other does as well. */
async function bringAddress({ tx, item, tell }: Back, instance: Instance, id: string): Promise<void> {
  const row = await tx.lockDeleted('external_ip', id)
  if (!row) return
  if (row.kind === 'snat') return void (await orFull(() => allocateSnat(tx, item.silo_id, instance.id)))
  const kind = 'external-ip'
  const pool = await lockPool(tx, item.silo_id, { type: 'explicit', pool: row.ip_pool_id }).catch(
    ignoreNotFound,
  )
  if (!pool) return tell({ kind, name: row.ip, outcome: 'lost', detail: restoreWords.poolGone })
  const own = await takeThisAddress(tx, pool, ip(row.ip))
  const stretch = own ?? (await orFull(() => takeAddress(tx, pool)))
  if (stretch === 'full') return tell({ kind, name: row.ip, outcome: 'lost', detail: restoreWords.noAddress })
  await tx.restore('external_ip', row, { ...stretch, instance_id: instance.id })
  if (own) tell({ kind, name: row.ip, outcome: 'back' })
  else tell({ kind, name: row.ip, outcome: 'changed', detail: restoreWords.addressTaken(row.ip, stretch.ip) })
}

async function attachFloating({ tx, tell }: Back, instance: Instance, id: string): Promise<void> {
  const kind = 'floating-ip'
  const row = await tx.lockById('external_ip', id).catch(ignoreNotFound)
  if (!row) {
    const gone = await tx.lockDeleted('external_ip', id)
    if (gone) tell({ kind, name: gone.name ?? gone.ip, ...deleted })
    return
  }
  const name = row.name ?? row.ip
  if (row.instance_id !== null)
    return tell({ kind, id, name, outcome: 'lost', detail: restoreWords.attachedElsewhere })
  if (await roomProblem(tx, instance))
    return tell({ kind, id, name, outcome: 'lost', detail: restoreWords.full })
  await tx.update('external_ip', row, { instance_id: instance.id })
  tell({ kind, id, name, outcome: 'back' })
}

async function attachExternalSubnet({ tx, tell }: Back, instance: Instance, id: string): Promise<void> {
  const kind = 'external-subnet'
  const row = await tx.lockById('external_subnet', id).catch(ignoreNotFound)
  if (!row) {
    const gone = await tx.lockDeleted('external_subnet', id)
    if (gone) tell({ kind, name: gone.name, ...deleted })
    return
  }
  const { name, instance_id } = row
  const lost = (detail: string) => tell({ kind, id, name, outcome: 'lost', detail })
  if (instance_id !== null) return lost(restoreWords.attachedElsewhere)
  if (await attachmentProblem(tx, instance, row)) return lost(restoreWords.noWay)
  await tx.update('external_subnet', row, { instance_id: instance.id })
  tell({ kind, id, name, outcome: 'back' })
}

async function joinAgain({ tx, tell }: Back, instance: Instance, id: string): Promise<void> {
  for (const family of [affinity, antiAffinity]) {
    const group = await tx.lockById(family.groups, id).catch(ignoreNotFound)
    if (!group) continue
    const kind = family.groups.replace('_', '-')
    const joined = await orFull(() => join(tx, family, group, instance))
    const full = { outcome: 'lost', detail: restoreWords.full } as const
    tell({ kind, id, name: group.name, ...(joined === 'full' ? full : { outcome: 'back' }) })
  }
}

/** Those that still exist. */
async function keepKeys(tx: Change, instance_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const keys = await tx.read
    .selectFrom('ssh_key')
    .select('id')
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  if (keys.length === 0) return
  await tx.plain
    .insertInto('instance_ssh_key')
    .values(keys.map(({ id }) => ({ instance_id, ssh_key_id: id })))
    .execute()
}
