import type { RecycledKind } from '@gantry/api/history/recycle-bin.rules'
import { sql } from 'kysely'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { notFound } from '../../context/refusal.ts'
import type { Selectors } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import { deleteInstance } from '../compute/instances/service.ts'
import { deleteFloatingIp } from '../network/addresses/floating-ips.ts'
import { deleteSubnet } from '../network/records/subnets.ts'
import { deleteVpc } from '../network/records/vpcs.ts'
import { deleteProject } from '../project/service.ts'
import { deleteDisk } from '../storage/disks.ts'
import { deleteImage } from '../storage/image-changes.ts'
import { deleteSnapshot } from '../storage/snapshots.ts'
import { needItem, scopeOf } from './items.ts'
import { needBin } from './list.ts'
import { purge } from './purge.ts'

const deletions: Readonly<Record<RecycledKind, (cx: Cx, id: string) => Promise<void>>> = {
  instance: byId(deleteInstance, 'instance'),
  disk: byId(deleteDisk, 'disk'),
  snapshot: byId(deleteSnapshot, 'snapshot'),
  image: byId(deleteImage, 'image'),
  'floating-ip': byId(deleteFloatingIp, 'floating_ip'),
  vpc: byId(deleteVpc, 'vpc'),
  'vpc-subnet': byId(deleteSubnet, 'subnet'),
  project: byId(deleteProject, 'project'),
}

function byId(run: (cx: Cx, at: Selectors) => Promise<void>, selector: string) {
  return (cx: Cx, id: string): Promise<void> => run(cx, { [selector]: id })
}

/** Deletes an object as its own operation does. */
export async function deleteObject(cx: Cx, { path, query }: Input<'objectDelete'>): Promise<undefined> {
  cx.isForGood = query.for_good
  await deletions[query.kind](cx, path.object_id)
  return undefined
}

export async function deleteItem(cx: Cx, { path }: Input<'recycledItemDelete'>): Promise<undefined> {
  const item = await needItem(cx, path.item_id, 'modify')
  await change(cx, scopeOf(item), async (tx) => {
    const gone = await purge(tx, sql`id = ${item.id}`, 'asked')
    if (gone.length === 0) throw notFound('recycled-item', { id: item.id })
  })
  return undefined
}

/** Everything is out of reach at once, and the loop deletes it in portions, however much it is. */
export async function emptyBin(cx: Cx, { query }: Input<'recycleBinEmpty'>): Promise<undefined> {
  const { silo_id, project_id } = await needBin(cx, query, 'create_child')
  await change(cx, { silo_id, project_id }, async (tx) => {
    const which =
      project_id === null ? sql`silo_id = ${silo_id} AND project_id IS NULL` : sql`project_id = ${project_id}`
    await sql`UPDATE recycled SET time_expires = ${cx.now()} WHERE ${which} AND time_expires > ${cx.now()}`.execute(
      tx.plain,
    )
    tx.note('recycled-item', project_id ?? silo_id, undefined, undefined)
  })
  return undefined
}
