import type { AdoptionRequest, DiskIdentity, UnadoptedDisk } from '@gantry/api/system/disk-adoption'
import { sql } from 'kysely'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import { conflict, invalidValue } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { type ListQuery, listAll } from '../../list/page.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import type { Reconciler } from '../../work/loop.ts'

/** After a request, the rack first reads the disk again. */
const adoptionMs = 2000

/** The unadopted disks of sleds in service; the small ones that sleds boot from belong to the sled. */
const found = (db: Pick<Reader, 'selectFrom'>) =>
  db
    .selectFrom('unadopted_disk')
    .innerJoin('sled', 'sled.id', 'unadopted_disk.sled_id')
    .selectAll('unadopted_disk')
    .where(
      sql<boolean>`sled.policy = 'in_service' AND sled.state = 'active' AND sled.time_deleted IS NULL
        AND unadopted_disk.form_factor = 'u2'`,
    )

const isRequested = sql<boolean>`EXISTS (SELECT FROM disk_adoption_request r WHERE r.time_deleted IS NULL
  AND (r.vendor, r.serial, r.model) = (unadopted_disk.vendor, unadopted_disk.serial, unadopted_disk.model))`

/** All of them at once, so no token is one of this list, as with uninitialized sleds. */
export async function listUnadopted(
  cx: Cx,
  page_token: string | null | undefined,
): Promise<{ items: UnadoptedDisk[]; next_page: string | null }> {
  needFleet(cx, 'list_children')
  if (page_token) throw invalidValue('page_token', 'the list has only one page', 'Leave the token out.')
  const rows = await found(cx.db)
    .where(sql<boolean>`NOT ${isRequested}`)
    .orderBy('sled.cubby')
    .orderBy('unadopted_disk.slot')
    .execute()
  return {
    items: rows.map(({ sled_id, slot, form_factor, ...disk }) => ({
      disk_id: identityOf(disk),
      sled_id,
      slot,
      variant: form_factor,
    })),
    next_page: null,
  }
}

const identityOf = ({ vendor, serial, model }: DiskIdentity): DiskIdentity => ({ vendor, serial, model })

const view = ({ id, time_created, ...disk }: Row<'disk_adoption_request'>): AdoptionRequest => ({
  id,
  disk_id: identityOf(disk),
  time_created: time_created.toISOString(),
})

export async function listAdoptionRequests(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  return listAll(cx, 'disk_adoption_request', query, view)
}

/** The disk may be put in later. Idempotent. */
export async function enableAdoption(cx: Cx, disk: DiskIdentity): Promise<AdoptionRequest> {
  needFleet(cx, 'modify')
  const { vendor, serial, model } = disk
  const request = await change(cx, fleetScope, async (tx) => {
    // Serialises requests for the same disk.
    await sql`LOCK TABLE disk_adoption_request IN SHARE ROW EXCLUSIVE MODE`.execute(tx.plain)
    const active = await tx.read
      .selectFrom('physical_disk')
      .select('id')
      .where((eb) => eb.and({ vendor, serial, model, state: 'active' }))
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (active)
      throw conflict(`the disk is in use already: ${active.id}`, 'Choose a disk that has not been adopted.')
    const known = await tx.read
      .selectFrom('disk_adoption_request')
      .selectAll()
      .where((eb) => eb.and({ vendor, serial, model }))
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    return known ?? tx.insert('disk_adoption_request', { vendor, serial, model })
  })
  cx.services.wake.disks()
  return view(request)
}

export async function disableAdoption(cx: Cx, at: Selectors): Promise<void> {
  const { row } = await need(cx, 'disk_adoption_request', at, 'modify')
  await change(cx, fleetScope, async (tx) =>
    tx.remove('disk_adoption_request', await tx.lock('disk_adoption_request', row)),
  )
}

/** Takes disks into service whose adoption was requested, once they are found. */
export const diskAdoption: Reconciler = {
  name: 'disk-adoption',
  everyMs: 30_000,
  async run(services) {
    const cx = systemCx(services, 'reconcile:disk-adoption')
    const requests = await services.db
      .selectFrom('disk_adoption_request')
      .selectAll()
      .where('time_deleted', 'is', null)
      .orderBy('id')
      .execute()
    if (requests.length === 0) return undefined
    const present = new Set((await found(services.db).where(isRequested).execute()).map(keyOf))
    const waiting = requests.filter((request) => present.has(keyOf(request)))
    const age = ({ time_created }: Row<'disk_adoption_request'>): number =>
      cx.now().getTime() - time_created.getTime()
    for (const request of waiting)
      // A time in the future is not trusted.
      if (age(request) < 0 || age(request) >= adoptionMs)
        await change(cx, fleetScope, (tx) => adopt(tx, request))
    const next = waiting
      .map((request) => adoptionMs - age(request))
      .filter((ms) => ms > 0 && ms <= adoptionMs)
    return next.length > 0 ? Math.min(...next) : undefined
  },
}

const keyOf = ({ vendor, serial, model }: DiskIdentity): string => JSON.stringify([vendor, serial, model])

async function adopt(tx: Change, { id }: Row<'disk_adoption_request'>): Promise<void> {
  const request = await tx.read
    .selectFrom('disk_adoption_request')
    .selectAll()
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  // It may have been withdrawn meanwhile.
  if (!request) return
  const { vendor, serial, model } = request
  const disk = await tx.plain
    .deleteFrom('unadopted_disk')
    .where((eb) => eb.and({ vendor, serial, model }))
    .returningAll()
    .executeTakeFirst()
  if (!disk) return
  const { sled_id, form_factor } = disk
  const own = { policy: 'in_service', state: 'active' } as const
  await tx.insert('physical_disk', { vendor, serial, model, sled_id, form_factor, ...own })
  await tx.remove('disk_adoption_request', request)
}
