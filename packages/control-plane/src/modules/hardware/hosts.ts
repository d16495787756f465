import type { Host } from '../../fleet/hosts.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Reconciler } from '../../work/loop.ts'
import type { Row } from '../../db/tables.ts'
import { recordMembers } from './rack-membership.ts'

/** The part number of a host's sled, because the manufacturer's is unknown. */
const hostPart = 'host'

/** Keeps sleds in line with the hosts of a fleet that finds them itself. */
export const hostSleds: Reconciler = {
  name: 'hosts',
  everyMs: 5000,
  async run(services) {
    const { hosts } = services.fleet
    if (!hosts) return
    const found = await hosts.list()
    const known = await services.db.selectFrom('sled').selectAll().where('time_deleted', 'is', null).execute()
    const sleds = found.map((host) => sledOf(host, services.settings.fleet.vcpus_per_thread))
    if (!differs(known, sleds)) return
    await change(systemCx(services, 'reconcile:hosts'), fleetScope, (tx) => record(tx, sleds))
    // A host that is back has room for what ran there.
    services.wake.restarts()
  },
}

/** A host as the records say it. */
interface FoundSled {
  id: string
  isReachable: boolean
  columns: ReturnType<typeof columnsOf>
}
type SledRow = Pick<Row<'sled'>, 'id' | 'policy' | keyof FoundSled['columns'] | 'time_unreachable'>

const columnsOf = (
  { name, engine, threads, memory, reservoir, storage, storage_free }: Host,
  vcpus_per_thread: number,
) => ({
  serial: name,
  engine,
  usable_hardware_threads: threads,
  vcpus_per_thread,
  usable_physical_ram: memory,
  reservoir_size: reservoir,
  storage_size: storage,
  storage_free,
})
const sledOf = (host: Host, vcpusPerThread: number): FoundSled => ({
  id: host.id,
  isReachable: host.is_reachable,
  columns: columnsOf(host, vcpusPerThread),
})

/** The capacity of some file systems changes a little with everything written, which is no change of the host. */
const storageTolerance = 0.01

const isAsFound = (sled: SledRow, { isReachable, columns }: FoundSled): boolean => {
  // A host that was removed for good stays so, even if it is found again.
  if (sled.policy === 'expunged') return true
  const { storage_size, storage_free, ...others } = columns
  const known = sled.storage_size ?? 0
  const isNear = (found: number, recorded: number | null): boolean =>
    recorded !== null && Math.abs(found - recorded) <= storageTolerance * known
  return (
    Object.entries(others).every(([column, value]) => sled[column as keyof SledRow] === value) &&
    isNear(storage_size, sled.storage_size) &&
    isNear(storage_free, sled.storage_free) &&
    (sled.time_unreachable === null) === isReachable
  )
}

const isBelievedReachable = ({ policy, time_unreachable }: SledRow): boolean =>
  policy === 'in_service' && time_unreachable === null

/** Whether the records must change: a known host that is no longer found is unreachable. */
function differs(known: readonly SledRow[], found: readonly FoundSled[]): boolean {
  const sleds = new Map(known.map((sled) => [sled.id, sled]))
  const ids = new Set(found.map(({ id }) => id))
  return (
    found.some((host) => {
      const sled = sleds.get(host.id)
      return !sled || !isAsFound(sled, host)
    }) || known.some((sled) => !ids.has(sled.id) && isBelievedReachable(sled))
  )
}

async function record(tx: Change, found: readonly FoundSled[]): Promise<void> {
  // Locks the rack, so that two processes do not both add a host.
  const rack = await tx.read
    .selectFrom('rack')
    .select('id')
    .where('time_deleted', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const rack_id = rack?.id ?? (await tx.insert('rack', {})).id
  const sleds = await tx.read
    .selectFrom('sled')
    .selectAll()
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const byId = new Map(sleds.map((sled) => [sled.id, sled]))
  const isNew = found.some(({ id }) => !byId.has(id))
  let cubby = Math.max(-1, ...sleds.map((sled) => sled.cubby))
  for (const host of found) {
    const sled = byId.get(host.id)
    byId.delete(host.id)
    if (!sled) await addHost(tx, host, rack_id, ++cubby)
    else if (!isAsFound(sled, host))
      await tx.update('sled', sled, { ...host.columns, ...reachability(tx, sled, host.isReachable) })
  }
  if (isNew) await recordMembers(tx, rack_id)
  for (const gone of byId.values())
    if (isBelievedReachable(gone)) await tx.update('sled', gone, reachability(tx, gone, false))
}

const reachability = (tx: Change, { time_unreachable }: SledRow, isReachable: boolean) => ({
  time_unreachable: isReachable ? null : (time_unreachable ?? tx.cx.now()),
})

async function addHost(tx: Change, host: FoundSled, rack_id: string, cubby: number): Promise<void> {
  await tx.insert('sled', {
    id: host.id,
    ...host.columns,
    part: hostPart,
    revision: 0,
    rack_id,
    cubby,
    policy: 'in_service',
    state: 'active',
    is_provisionable: true,
    time_unreachable: host.isReachable ? null : tx.cx.now(),
  })
  await tx.plain.insertInto('sled_usage').values({ sled_id: host.id }).execute()
}
