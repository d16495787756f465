import { instanceLimits } from '@gantry/api/instance.rules'
import type { InstanceCreate } from '@gantry/api/instance'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import { addressOf } from '../../kernel/need.ts'
import { insufficient, invalid, type Refusal } from '../../kernel/refusal.ts'
import { lowestFreeAddress, lowestFreePorts, type Stretch } from './free-address.ts'
import { formatIpv4 } from './ip.ts'
import { needDefaultPool, needLinkedPool } from './pools.ts'

type ExternalIp = Row<'external_ip'>

/** What is wrong with the list by itself, before anything is looked up (control plane reference, B 3.2). */
export function externalIpRequestProblem(wanted: InstanceCreate['external_ips']): Refusal | undefined {
  const { externalIps, ephemeralIps } = instanceLimits
  if (wanted.length > externalIps)
    return invalid(
      `An instance may not have more than ${externalIps} external IP addresses`,
      `Ask for at most ${externalIps} addresses.`,
    )
  if (wanted.filter((one) => one.type === 'ephemeral').length > ephemeralIps)
    return invalid(
      `An instance may not have more than ${ephemeralIps} ephemeral IP address`,
      'Ask for one ephemeral address, and attach floating addresses for more.',
    )
  return undefined
}

/** The ports through which an instance without an address of its own reaches out: always from the default pool. */
export async function allocateSnat(tx: Change, siloId: string, instanceId: string): Promise<ExternalIp> {
  const pool = await lockPool(tx, await needDefaultPool(tx.read, siloId))
  return insertIp(tx, 'snat', pool, await lowestFreePorts(tx.read, pool.id), instanceId)
}

export async function allocateEphemeral(
  tx: Change,
  siloId: string,
  instanceId: string,
  poolNameOrId?: string,
): Promise<ExternalIp> {
  const pool = await lockPool(
    tx,
    poolNameOrId === undefined
      ? await needDefaultPool(tx.read, siloId)
      : await needLinkedPool(tx.read, siloId, poolNameOrId),
  )
  return insertIp(tx, 'ephemeral', pool, await lowestFreeAddress(tx.read, pool.id), instanceId)
}

/** A floating address answers to one instance at a time; attaching it where it is changes nothing. */
export async function attachFloating(
  tx: Change,
  project: Row<'project'>,
  instance: Row<'instance'>,
  floatingIpNameOrId: string,
): Promise<ExternalIp> {
  const floating = await tx.lock('external_ip', await needFloating(tx, project, floatingIpNameOrId))
  if (floating.project_id !== instance.project_id)
    throw invalid(
      'floating IP must be in the same project as the instance',
      "Choose a floating IP of the instance's project.",
    )
  if (floating.instance_id === instance.id) return floating
  if (floating.instance_id !== null)
    throw invalid(
      'floating IP cannot be attached to one instance while still attached to another',
      'Detach it from the other instance first, or choose another floating IP.',
    )
  return tx.update('external_ip', floating, { instance_id: instance.id })
}

/** With the instance: what was made for it is freed, floating addresses wait for another. */
export async function releaseExternalIps(tx: Change, instanceId: string): Promise<void> {
  const rows = await tx.read
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const row of rows) {
    if (row.kind === 'floating') await tx.update('external_ip', row, { instance_id: null })
    else await tx.remove('external_ip', row)
  }
}

/** Held to the end of the change, so that everybody who wants an address of the pool chooses in turn. */
const lockPool = (tx: Change, pool: Row<'ip_pool'>): Promise<Row<'ip_pool'>> => tx.lock('ip_pool', pool.id)

async function insertIp(
  tx: Change,
  kind: 'snat' | 'ephemeral',
  pool: Row<'ip_pool'>,
  free: Stretch | undefined,
  instanceId: string,
): Promise<ExternalIp> {
  if (!free)
    throw insufficient('No external IP addresses available', {
      help: 'Release addresses that are not needed, or ask an operator to add a range to the pool.',
      details: { ip_pool_id: pool.id, ip_pool: pool.name },
    })
  return tx.insert('external_ip', {
    kind,
    name: null,
    description: null,
    project_id: null,
    ip: formatIpv4(free.ip_int),
    ...free,
    ip_pool_id: pool.id,
    instance_id: instanceId,
  })
}

/** A name is one of the project; an id may lead elsewhere, but only to what the caller may see. */
async function needFloating(tx: Change, project: Row<'project'>, nameOrId: string): Promise<string> {
  const floating = tx.read
    .selectFrom('external_ip')
    .innerJoin('project', 'project.id', 'external_ip.project_id')
    .select(['external_ip.id', 'project.silo_id', 'external_ip.project_id'])
    .where('external_ip.kind', '=', 'floating')
    .where('external_ip.time_deleted', 'is', null)
  const row = await (
    isUuid(nameOrId)
      ? floating.where('external_ip.id', '=', canonicalUuid(nameOrId))
      : floating.where('external_ip.project_id', '=', project.id).where('external_ip.name', '=', nameOrId)
  ).executeTakeFirst()
  const visible = row && tx.cx.can('read', { class: 'projectChild', ...row })
  if (!visible) throw addressOf('floating-ip', nameOrId)
  return row.id
}
