import type { Board, RackMembership } from '@gantry/api/system/rack-membership'
import { isConfirmed, rackSleds } from '@gantry/api/system/hardware.rules'
import { sql } from 'kysely'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import { conflict, invalid, notFound } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import type { Reconciler } from '../../work/loop.ts'
import { isOutOfReach } from './out-of-reach.ts'
import { insertSleds } from './parts.ts'

type Membership = Row<'rack_membership'>

/** How long a sled of the simulated rack takes to confirm a change. */
const confirmationMs = 300

const view = (row: Membership): RackMembership => ({
  rack_id: row.rack_id,
  version: row.version,
  state: row.state,
  members: row.members,
  unacknowledged_members: row.unacknowledged,
  time_created: row.time_created.toISOString(),
  time_committed: row.time_committed?.toISOString() ?? null,
  time_aborted: row.time_aborted?.toISOString() ?? null,
})

const keyOf = ({ part_number, serial_number }: Board): string => JSON.stringify([part_number, serial_number])
const boardOf = ({ part, serial }: { part: string; serial: string }): Board => ({
  part_number: part,
  serial_number: serial,
})

/** The latest version, or a given one. */
const versionOf = (
  db: Pick<Reader, 'selectFrom'>,
  rackId: string,
  version?: number | null,
): Promise<Membership | undefined> => {
  const versions = db.selectFrom('rack_membership').selectAll().where('rack_id', '=', rackId)
  return (version == null ? versions : versions.where('version', '=', version))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function viewMembership(
  cx: Cx,
  at: Selectors,
  version: number | null | undefined,
): Promise<RackMembership> {
  const { row: rack } = await need(cx, 'rack', at, 'read')
  const found = await versionOf(cx.db, rack.id, version)
  if (!found) throw notFound('rack', { text: absent(version) })
  return view(found)
}

const absent = (version: number | null | undefined): string =>
  version == null ? 'members of the rack' : `version ${version} of the members of the rack`

/** Sleds become members together, once they and most of the others have confirmed it. */
export async function addSleds(cx: Cx, at: Selectors, boards: readonly Board[]): Promise<RackMembership> {
  const { row } = await need(cx, 'rack', at, 'modify')
  const added = await change(cx, fleetScope, async (tx) => {
    const rack = await tx.lock('rack', row)
    const latest = await versionOf(tx.read, rack.id)
    if (latest?.state === 'in_progress')
      throw conflict('the members of the rack are changing', 'Wait until that is done, or abort it.')
    const committed = await lastCommitted(tx.read, rack.id)
    if (!latest || !committed)
      throw invalid('the rack has no members yet', 'Wait until the rack has been initialized.')
    const wanted = [...new Map(boards.map((board) => [keyOf(board), board])).values()]
    const members = new Set(committed.members.map(keyOf))
    for (const board of wanted)
      if (members.has(keyOf(board)))
        throw invalid(`${board.serial_number} is a member of the rack already`, 'Leave it out.')
    const size = committed.members.length + wanted.length
    if (size < rackSleds.min || size > rackSleds.max)
      throw invalid(
        `the rack would have ${size} members, and must have between ${rackSleds.min} and ${rackSleds.max}`,
        'Name another number of sleds.',
      )
    const waiting = new Set((await uninitialized(tx.read, rack.id)).map((sled) => keyOf(boardOf(sled))))
    for (const board of wanted)
      if (!waiting.has(keyOf(board)))
        throw invalid(
          `${board.serial_number} (${board.part_number}) is no uninitialized sled of this rack`,
          'Name sleds from the list of uninitialized ones.',
        )
    const next = [...committed.members, ...wanted]
    return put(tx, {
      rack_id: rack.id,
      version: latest.version + 1,
      state: 'in_progress',
      members: next,
      unacknowledged: next,
      time_created: cx.now(),
      time_committed: null,
      time_aborted: null,
    })
  })
  cx.services.wake.racks()
  return view(added)
}

export async function abortMembership(cx: Cx, at: Selectors): Promise<RackMembership> {
  const { row } = await need(cx, 'rack', at, 'modify')
  return change(cx, fleetScope, async (tx) => {
    const rack = await tx.lock('rack', row)
    const latest = await versionOf(tx.read, rack.id)
    if (!latest) throw notFound('rack', { text: absent(undefined) })
    if (latest.state !== 'in_progress')
      throw conflict('the members of the rack are not changing', 'There is nothing to abort.')
    return view(await put(tx, { ...latest, state: 'aborted', time_aborted: cx.now() }, latest))
  })
}

const lastCommitted = (db: Pick<Reader, 'selectFrom'>, rackId: string): Promise<Membership | undefined> =>
  db
    .selectFrom('rack_membership')
    .selectAll()
    .where('rack_id', '=', rackId)
    .where('state', '=', 'committed')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

const uninitialized = (db: Pick<Reader, 'selectFrom'>, rackId: string) =>
  db.selectFrom('uninitialized_sled').selectAll().where('rack_id', '=', rackId).orderBy('cubby').execute()

/** Writes a version, and notes how it differs from before. */
async function put(tx: Change, row: Membership, before?: Membership): Promise<Membership> {
  const stored = {
    ...row,
    members: JSON.stringify(row.members),
    unacknowledged: JSON.stringify(row.unacknowledged),
  }
  await tx.plain
    .insertInto('rack_membership')
    .values(stored)
    .onConflict((conflicting) => conflicting.columns(['rack_id', 'version']).doUpdateSet(stored))
    .execute()
  tx.note('rack-membership', row.rack_id, before && { ...before }, { ...row })
  return row
}

/** Serialises changes of the members. */
export const lockRacks = (tx: Change): Promise<unknown> =>
  tx.read.selectFrom('rack').select('id').orderBy('id').forUpdate().execute()

/** Records who the members are after sleds came or went by other means. A change in progress would undo that, and ends. */
export async function recordMembers(tx: Change, rackId: string): Promise<void> {
  const latest = await versionOf(tx.read, rackId)
  if (latest?.state === 'in_progress')
    await put(tx, { ...latest, state: 'aborted', time_aborted: tx.cx.now() }, latest)
  const sleds = await tx.read
    .selectFrom('sled')
    .select(['part', 'serial'])
    .where((eb) => eb.and({ rack_id: rackId, policy: 'in_service', state: 'active' }))
    .where('time_deleted', 'is', null)
    .orderBy('cubby')
    .execute()
  const now = tx.cx.now()
  await put(tx, {
    rack_id: rackId,
    version: (latest?.version ?? 0) + 1,
    state: 'committed',
    members: sleds.map(boardOf),
    unacknowledged: [],
    time_created: now,
    time_committed: now,
    time_aborted: null,
  })
}

/** Lets the sleds of the simulated rack confirm changes of its members, and carries these out. */
export const rackMemberships: Reconciler = {
  name: 'rack-membership',
  everyMs: 10_000,
  async run(services) {
    const pending = await services.db
      .selectFrom('rack_membership')
      .select(['rack_id', 'version'])
      .where(sql<boolean>`state <> 'aborted' AND unacknowledged <> '[]'`)
      .orderBy('version')
      .execute()
    const cx = systemCx(services, 'reconcile:rack-membership')
    const left = []
    for (const each of pending) left.push(await change(cx, fleetScope, (tx) => confirm(tx, each)))
    return left.some(Boolean) ? confirmationMs : undefined
  },
}

/** Records who has confirmed so far; returns whether more will do so soon. */
async function confirm(
  tx: Change,
  { rack_id, version }: Pick<Membership, 'rack_id' | 'version'>,
): Promise<boolean> {
  await lockRacks(tx)
  const row = await versionOf(tx.read, rack_id, version)
  if (!row || row.state === 'aborted' || row.unacknowledged.length === 0) return false
  const known = new Set((await lastCommitted(tx.read, rack_id))?.members.map(keyOf))
  const lost = await outOfReach(tx.read, rack_id)
  const elapsed = tx.cx.now().getTime() - row.time_created.getTime()
  // A time in the future is not trusted.
  const confirmed = elapsed < 0 ? row.members.length : Math.floor(elapsed / confirmationMs)
  const slow = new Set(row.members.slice(confirmed).map(keyOf))
  const unacknowledged = row.unacknowledged.filter(
    (board) => slow.has(keyOf(board)) || lost.has(keyOf(board)),
  )
  const newcomers = unacknowledged.filter((board) => row.state === 'in_progress' && !known.has(keyOf(board)))
  const commits =
    row.state === 'in_progress' && isConfirmed(row.members.length, unacknowledged.length, newcomers.length)
  if (commits) await initialize(tx, row, known)
  if (commits || unacknowledged.length < row.unacknowledged.length)
    await put(
      tx,
      { ...row, unacknowledged, ...(commits && { state: 'committed', time_committed: tx.cx.now() }) },
      row,
    )
  return unacknowledged.some((board) => !lost.has(keyOf(board)))
}

/** Takes the new members into service. */
async function initialize(tx: Change, row: Membership, known: ReadonlySet<string>): Promise<void> {
  const added = new Set(row.members.map(keyOf).filter((key) => !known.has(key)))
  const sleds = (await uninitialized(tx.read, row.rack_id)).filter((sled) => added.has(keyOf(boardOf(sled))))
  for (const { serial, part } of sleds)
    await tx.plain
      .deleteFrom('uninitialized_sled')
      .where((eb) => eb.and({ serial, part }))
      .execute()
  await insertSleds(tx, sleds)
}

async function outOfReach(db: Pick<Reader, 'selectFrom'>, rackId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sled')
    .select(['part', 'serial'])
    .where('rack_id', '=', rackId)
    .where('time_deleted', 'is', null)
    .where(isOutOfReach)
    .execute()
  return new Set(rows.map((sled) => keyOf(boardOf(sled))))
}
