import type {
  ExternalSubnet,
  ExternalSubnetCreate,
  ExternalSubnetUpdate,
} from '@gantry/api/network/external-subnet'
import { externalSubnetAllows, maxSubnetsOfInstance } from '@gantry/api/network/external-subnet.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '../../db/tables.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { type Change, change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { lostRace } from '../../change/retry.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { invalid, refuseIf, type Refusal, unavailable } from '../../context/refusal.ts'
import { resourceView } from '../../lookup/views.ts'
import { recycle } from '../recycle-bin/recycle.ts'
import { allocate } from './allocate.ts'

type Subnet = Row<'external_subnet'>
type Instance = Row<'instance'>

export const subnetView = (row: Subnet): ExternalSubnet =>
  resourceView(row, {
    subnet: row.subnet,
    project_id: row.project_id,
    subnet_pool_id: row.subnet_pool_id,
    subnet_pool_member_id: row.subnet_pool_member_id,
    instance_id: row.instance_id,
  })

export async function createSubnet(cx: Cx, at: Selectors, body: ExternalSubnetCreate): Promise<Subnet> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    const block = await allocate(tx, project.silo_id, body.allocator)
    const { name, description } = body
    return tx.insert('external_subnet', {
      ...block,
      name,
      description,
      project_id: project.id,
      instance_id: null,
    })
  })
}

export async function updateSubnet(cx: Cx, at: Selectors, body: ExternalSubnetUpdate): Promise<Subnet> {
  const { row, scope } = await need(cx, 'external_subnet', at, 'modify')
  return change(cx, scope, async (tx) => {
    const subnet = await tx.lock('external_subnet', row)
    return tx.update('external_subnet', subnet, {
      name: body.name ?? subnet.name,
      description: body.description ?? subnet.description,
    })
  })
}

export async function deleteSubnet(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'external_subnet', at, 'modify')
  await change(cx, scope, async (tx) => {
    const subnet = await tx.lockToDelete('external_subnet', row)
    if (subnet.instance_id !== null)
      throw invalid('External subnet cannot be deleted while attached to an instance', 'Detach it first.')
    await tx.remove('external_subnet', subnet)
    await recycle(tx, {
      kind: 'external-subnet',
      row: subnet,
      silo_id: scope.silo_id,
      project_id: scope.project_id,
    })
  })
}

/** A name refers to the subnet's project; an id elsewhere is refused. */
export async function attachSubnet(cx: Cx, at: Selectors, nameOrId: string): Promise<Subnet> {
  const found = await need(cx, 'external_subnet', at, 'modify')
  const instanceAt = isUuid(nameOrId)
    ? { instance: nameOrId }
    : { instance: nameOrId, project: found.row.project_id }
  const { row } = await need(cx, 'instance', instanceAt, 'modify')
  needCapability(cx.services.fleet, 'external_subnets')
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    const subnet = await tx.lock('external_subnet', found.row)
    refuseIf(attachProblem(instance, subnet))
    if (subnet.instance_id === instance.id) return subnet
    refuseIf(stateProblem(instance, 'attach'))
    refuseIf(await attachmentProblem(tx, instance, subnet))
    return tx.update('external_subnet', subnet, { instance_id: instance.id })
  })
}

export async function detachSubnet(cx: Cx, at: Selectors): Promise<Subnet> {
  const { row, scope } = await need(cx, 'external_subnet', at, 'modify')
  return change(cx, scope, async (tx) => {
    const seen = await tx.read
      .selectFrom('external_subnet')
      .select('instance_id')
      .where('id', '=', row.id)
      .executeTakeFirst()
    const instance = seen?.instance_id ? await tx.lockById('instance', seen.instance_id) : undefined
    const subnet = await tx.lock('external_subnet', row)
    // The instance is locked before its subnet; if the subnet was attached elsewhere meanwhile, start over.
    if (subnet.instance_id !== (instance?.id ?? null)) throw lostRace('an external subnet')
    if (!instance)
      throw invalid('external subnet is not attached to an instance', 'There is nothing to detach.')
    refuseIf(stateProblem(instance, 'detach'))
    return tx.update('external_subnet', subnet, { instance_id: null })
  })
}

/** Called when an instance is deleted. Returns their ids. */
export async function detachSubnetsOf(tx: Change, instanceId: string): Promise<string[]> {
  const subnets = await liveRows(tx, 'external_subnet', 'instance_id', instanceId)
  for (const subnet of subnets) await tx.update('external_subnet', subnet, { instance_id: null })
  return subnets.map(({ id }) => id)
}

export const subnetsOf = (db: Reader, instanceId: string): Promise<Subnet[]> =>
  db
    .selectFrom('external_subnet')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .execute()

/** A subnet belongs to one instance at a time; attaching it again is a no-op. */
function attachProblem(instance: Instance, subnet: Subnet): Refusal | undefined {
  if (subnet.project_id !== instance.project_id)
    return invalid(
      'external subnet must be in the same project as the instance',
      "Choose an external subnet of the instance's project.",
    )
  if (subnet.instance_id !== null && subnet.instance_id !== instance.id)
    return invalid(
      'external subnet cannot be attached to one instance while still attached to another',
      'Detach it from the other instance first, or choose another external subnet.',
    )
  return undefined
}

function stateProblem({ run_state }: Instance, verb: keyof typeof externalSubnetAllows): Refusal | undefined {
  if (allows(externalSubnetAllows, verb, run_state)) return undefined
  if (run_state === 'migrating')
    return unavailable('The instance is migrating. Try again when the transition is complete.')
  return invalid(
    `cannot ${verb} external subnet while the instance is in state "${run_state}"`,
    'Wait until it is running, or stop it.',
  )
}

/** Why an instance cannot have one more, or this one. */
export const attachmentProblem = async (
  tx: Change,
  instance: Instance,
  subnet: Subnet,
): Promise<Refusal | undefined> =>
  (await roomProblem(tx, instance)) ?? (await addressProblem(tx, instance, subnet))

async function roomProblem(tx: Change, { id }: Instance): Promise<Refusal | undefined> {
  const { count } = await tx.read
    .selectFrom('external_subnet')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('instance_id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirstOrThrow()
  if (count < maxSubnetsOfInstance) return undefined
  return invalid(
    `An instance may not have more than ${maxSubnetsOfInstance} external subnets`,
    'Detach another one first.',
  )
}

/** Packets to the subnet reach an instance by an address of its version of the primary interface. */
async function addressProblem(
  tx: Change,
  { id }: Instance,
  { subnet }: Subnet,
): Promise<Refusal | undefined> {
  const isV6 = subnet.includes(':')
  const primary = await tx.read
    .selectFrom('network_interface')
    .select(isV6 ? 'ipv6 as address' : 'ip as address')
    .where('instance_id', '=', id)
    .where('is_primary', '=', true)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (primary && primary.address !== null) return undefined
  return invalid(
    `the instance has no primary private address of ${isV6 ? 'IPv6' : 'IPv4'}`,
    'Add a network interface with such an address to the instance, and make it the primary one.',
  )
}
