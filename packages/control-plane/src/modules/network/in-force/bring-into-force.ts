import type { FailureReason } from '@gantry/api/extensions'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { sql, type UpdateObject } from 'kysely'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Patch, Row, Tables } from '@gantry/control-plane/db/tables'
import {
  NetworkFailure,
  type Networks,
  type RefusedAddress,
  type VpcNetwork,
} from '@gantry/control-plane/fleet/networks'
import { type Change, change, isRetryable } from '@gantry/control-plane/change/change'
import { systemCx } from '@gantry/control-plane/context/cx'
import { newUuid } from '@gantry/control-plane/context/ids'
import { unavailable } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import { loadNetwork } from '../../packets/load.ts'
import { resolveNetwork, type VpcState } from '../../packets/vpc-network.ts'
import { onceEach } from '@gantry/control-plane/context/once-each'
import { RenewedLease } from '@gantry/control-plane/work/lease'

/** One process at a time brings the network of a VPC into force. */
export const networkLease = new RenewedLease('vpc_network', {
  key: 'vpc_id',
  token: 'lease_holder',
  ms: 10_000,
})
const leaseWaitMs = 20_000
const leasePollMs = 50
const attempts = 5
/** A state that is not in force by then is reported as pending. */
const quickMs = 1000
export const longestRetryMs = 60_000
const backoffMs = (attempt: number): number => Math.min(longestRetryMs, 1000 * 2 ** attempt)

type NetworkRow = Row<'vpc_network'>
type Lease = Pick<NetworkRow, 'vpc_id' | 'lease_holder'>

/** Queued calls: they will read everything that other callers have written by now. */
const queued = onceEach((_services: Services) => new Map<string, Promise<void>>())

/**
 * Compares a VPC's records with the state last given to its fleet, and has the fleet bring the current state into
 * force. One process at a time does this for a VPC, so that an older state never overtakes a newer one. A failure is
 * recorded for users and retried; it is thrown as well.
 */
export function bringIntoForce(services: Services, networks: Networks, vpcId: string): Promise<void> {
  const own = queued(services)
  const next =
    own.get(vpcId) ??
    withLease(services, vpcId, (lease) => {
      own.delete(vpcId)
      return bringNow(services, networks, lease)
    }).finally(() => {
      if (own.get(vpcId) === next) own.delete(vpcId)
    })
  own.set(vpcId, next)
  return next
}

async function bringNow(services: Services, networks: Networks, lease: Lease): Promise<void> {
  let pending: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      const { row, network } = await readWanted(services, lease)
      if (!network) return await settle(services, lease, row)
      if (row.applied_generation === row.generation)
        return await (isReported(row)
          ? settle(services, lease, row)
          : keepApplied(services, networks, lease, row))
      // Each further attempt would report nothing new.
      if (row.attempts === 0) pending ??= setTimeout(() => void reportPending(services, row), quickMs)
      const inForce = await networks.apply(network)
      if (inForce === network.generation) return await keepApplied(services, networks, lease, row)
      // The records are older than the fleet, as after the restore of a backup: they continue from there.
      await writeHeld(services, lease, { generation: inForce, digest: '' })
    }
  } catch (error) {
    await keepFailure(services, lease, error as Error)
    throw error
  } finally {
    clearTimeout(pending)
  }
}

/** Removes the network of a VPC, unless it has a machine again. */
export const removeUnused = (services: Services, networks: Networks, vpcId: string): Promise<void> =>
  withLease(services, vpcId, async (lease) => {
    if (!(await hasMachines(services, vpcId))) {
      await networks.remove([vpcId])
      await forget(services, lease)
    }
  })

/** Nothing is in force any more, which people see who saw what was. */
async function forget(services: Services, lease: Lease): Promise<void> {
  const scope = await scopeOf(services, lease.vpc_id)
  await change(systemCx(services, 'reconcile:networks'), scope, async (tx) => {
    const [known] = await tx.plain
      .deleteFrom('vpc_network')
      .where(networkLease.isHeld(lease))
      .returningAll()
      .execute()
    if (known && known.generation > 0) note(tx, known)
  })
}

/** Interfaces whose instance has a machine. */
export const interfacesWithMachines = ({ db }: { db: Reader }) =>
  db
    .selectFrom('network_interface')
    .innerJoin('vmm', 'vmm.instance_id', 'network_interface.instance_id')
    .where('network_interface.time_deleted', 'is', null)
    .where('vmm.time_gone', 'is', null)

async function hasMachines(services: Services, vpcId: string): Promise<boolean> {
  const found = await interfacesWithMachines(services)
    .select('network_interface.id')
    .where('network_interface.vpc_id', '=', vpcId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** A generation names one state: without the lease, another process may have given it to a newer one. */
async function writeHeld({ db }: Services, lease: Lease, patch: Patch<'vpc_network'>): Promise<void> {
  if (!(await networkLease.write(db, lease, patch))) throw leaseHeldElsewhere()
}

/** Calls of this process for the same VPC wait for each other here rather than in the database. */
const turns = onceEach((_services: Services) => new Map<string, Promise<void>>())

async function withLease(
  services: Services,
  vpcId: string,
  work: (lease: Lease) => Promise<void>,
): Promise<void> {
  const own = turns(services)
  const run = async (): Promise<void> => {
    const lease = await takeLease(services, vpcId)
    try {
      await networkLease.during(services, lease, () => work(lease))
    } finally {
      await networkLease.leave(services.db, lease, { lease_holder: null })
    }
  }
  const turn = (own.get(vpcId) ?? Promise.resolve()).then(run, run)
  own.set(vpcId, turn)
  try {
    await turn
  } finally {
    if (own.get(vpcId) === turn) own.delete(vpcId)
  }
}

async function takeLease(services: Services, vpc_id: string): Promise<Lease> {
  const { db, clock, ending } = services
  for (let waited = 0; waited < leaseWaitMs && !ending.aborted; waited += leasePollMs) {
    const now = clock()
    await db
      .insertInto('vpc_network')
      .values({ vpc_id, time_changed: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const [lease] = await networkLease.claim(db, now, sql`vpc_id = ${vpc_id}`, {
      set: { lease_holder: newUuid(services.random) },
    })
    if (lease) return lease
    await new Promise((resolve) => setTimeout(resolve, leasePollMs))
  }
  throw leaseHeldElsewhere()
}

const leaseHeldElsewhere = (): Error =>
  unavailable('Another process is bringing the network of the VPC into force. Try again in a moment.')

/** The wanted state at one point in time; its generation is raised if it differs from the last one. */
async function readWanted(
  services: Services,
  lease: Lease,
): Promise<{ row: NetworkRow; network: VpcNetwork | undefined }> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { row, state } = await readState(services, lease.vpc_id)
      if (!state) return { row, network: undefined }
      const digest = digestOf(state)
      if (digest === row.digest) return { row, network: { ...state, generation: row.generation } }
      const next = { generation: row.generation + 1, digest, time_changed: services.clock() }
      await writeHeld(services, lease, next)
      return { row: { ...row, ...next }, network: { ...state, generation: next.generation } }
    } catch (error) {
      if (!isRetryable(error) || attempt === attempts) throw error
    }
  }
}

const digestOf = (state: VpcState): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(state))))

/** No state if the VPC is gone, or none of its instances has a machine. */
async function readState(
  services: Services,
  vpcId: string,
): Promise<{ row: NetworkRow; state: VpcState | undefined }> {
  const { row, found } = await services.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const row = await tx
        .selectFrom('vpc_network')
        .selectAll()
        .where('vpc_id', '=', vpcId)
        .executeTakeFirstOrThrow()
      return { row, found: await readRecords(tx, vpcId) }
    })
  return { row, state: found && (await resolveNetwork(found.rows, found.byInstance)) }
}

/** The records of a VPC with machines, to be resolved once no transaction waits. */
async function readRecords(db: Reader, vpcId: string) {
  const vpc = await db
    .selectFrom('vpc')
    .selectAll()
    .where('id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  const machines = await interfacesWithMachines({ db })
    .select(['network_interface.instance_id', 'vmm.id'])
    .where('network_interface.vpc_id', '=', vpcId)
    .execute()
  if (!vpc || machines.length === 0) return undefined
  const byInstance = new Map(machines.map(({ instance_id, id }) => [instance_id ?? '', id]))
  return { rows: await loadNetwork(db, vpc), byInstance }
}

/** Whether the records call for another state than the one that was given to the fleet last. */
export async function isOutdated(db: Reader, row: NetworkRow): Promise<boolean> {
  const found = await readRecords(db, row.vpc_id)
  return found !== undefined && digestOf(await resolveNetwork(found.rows, found.byInstance)) !== row.digest
}

/** Whether the state was reported as in force: a fleet may have it from a call that did not return. */
const isReported = ({ problem, time_applied, time_changed }: NetworkRow): boolean =>
  problem === null && time_applied !== null && time_applied >= time_changed

/** Done until a record changes, or has changed since the read. */
const settled = ({ revision }: NetworkRow) => ({ seen_revision: revision, attempts: 0, retry_at: null })

async function settle({ db }: Services, lease: Lease, row: NetworkRow): Promise<void> {
  await networkLease.write(db, lease, settled(row))
}

async function keepApplied(
  services: Services,
  networks: Networks,
  lease: Lease,
  row: NetworkRow,
): Promise<void> {
  const applied = {
    applied_generation: row.generation,
    time_applied: services.clock(),
    problem: null,
    refused: refusedJson(networks, row.vpc_id),
  }
  await write(services, lease, row, { ...settled(row), ...applied })
}

const refusedJson = (networks: Networks, vpcId: string): string | null => {
  const list = networks.refused().get(vpcId) ?? []
  return list.length > 0 ? JSON.stringify(list) : null
}

/** Records which addresses the fleet refuses now, unless a process brings the network into force, which does so too. */
export async function keepRefused(
  services: Services,
  networks: Networks,
  known: Pick<NetworkRow, 'vpc_id' | 'generation' | 'refused'>,
): Promise<void> {
  const refused = networks.refused().get(known.vpc_id) ?? []
  if (sameRefused(known.refused ?? [], refused)) return
  const scope = await scopeOf(services, known.vpc_id)
  await change(systemCx(services, 'reconcile:networks'), scope, async (tx) => {
    const [row] = await tx.plain
      .updateTable('vpc_network')
      .set({ refused: refusedJson(networks, known.vpc_id) })
      .where('vpc_id', '=', known.vpc_id)
      .where('lease_until', 'is', null)
      .returningAll()
      .execute()
    if (row) note(tx, row)
  })
}

const sameRefused = (one: readonly RefusedAddress[], other: readonly RefusedAddress[]): boolean => {
  const textOf = (list: readonly RefusedAddress[]) => list.map(({ ip, message }) => `${ip} ${message}`).sort()
  return textOf(one).join('\n') === textOf(other).join('\n')
}

async function keepFailure(services: Services, lease: Lease, error: Error): Promise<void> {
  const { db, clock, log } = services
  log.warn(
    { err: error, vpc: lease.vpc_id },
    'the network of a VPC was not brought into force; it will be retried',
  )
  const row = await db
    .selectFrom('vpc_network')
    .selectAll()
    .where(networkLease.isHeld(lease))
    .executeTakeFirst()
  if (!row) return
  const problem = problemOf(error, clock())
  const isPending = row.problem?.message !== problem.message
  const retryAt = new Date(clock().getTime() + backoffMs(row.attempts))
  const retry = {
    attempts: row.attempts + 1,
    // A record that has changed meanwhile is not kept waiting.
    retry_at: sql<Date | null>`CASE WHEN revision = ${row.revision} THEN ${retryAt}::timestamptz END`,
    // From here on the loop retries, also for requests.
    revision: sql<number>`greatest(revision, seen_revision + 1)`,
  }
  // The first time of a problem counts, and a change record for each attempt would say nothing new.
  if (isPending) await write(services, lease, row, { ...retry, problem: JSON.stringify(problem) })
  else await networkLease.write(db, lease, retry)
}

function problemOf(error: Error, now: Date): FailureReason {
  const isKnown = error instanceof NetworkFailure
  return {
    code: 'network_not_applied',
    message: isKnown ? error.message : 'Bringing the network into force failed.',
    next_step: isKnown
      ? error.nextStep
      : 'Gantry retries. If this persists, contact the operator, whose log has the cause.',
    details: null,
    time: now.toISOString(),
  }
}

/** Writes the state that users see, and notifies them. */
async function write(
  services: Services,
  lease: Lease,
  row: NetworkRow,
  patch: UpdateObject<Tables, 'vpc_network'>,
): Promise<void> {
  const scope = await scopeOf(services, lease.vpc_id)
  await change(systemCx(services, 'reconcile:networks'), scope, async (tx) => {
    if (await networkLease.write(tx.plain, lease, patch)) note(tx, row)
  })
}

/** Notifies users that a state is pending. */
async function reportPending(services: Services, row: NetworkRow): Promise<void> {
  try {
    const scope = await scopeOf(services, row.vpc_id)
    await change(systemCx(services, 'reconcile:networks'), scope, async (tx) => note(tx, row))
  } catch (error) {
    services.log.warn({ err: error, vpc: row.vpc_id }, 'a pending network was not reported')
  }
}

const note = (tx: Change, { vpc_id, generation }: NetworkRow): void =>
  tx.note('vpc-network', vpc_id, null, { generation })

async function scopeOf({ db }: Services, vpcId: string) {
  const owner = await db
    .selectFrom('vpc')
    .innerJoin('project', 'project.id', 'vpc.project_id')
    .select(['project.silo_id', 'project.id as project_id'])
    .where('vpc.id', '=', vpcId)
    .executeTakeFirst()
  return owner ?? { silo_id: null, project_id: null }
}
