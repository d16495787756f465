import { formatIp, knownNet, parseIpNet } from '@gantry/api/base/ip.rules'
import type { SubnetPoolMember, SubnetPoolMemberAdd } from '@gantry/api/network/subnet-pool'
import { unreachableProblem } from '@gantry/api/network/ip-pool.rules'
import { maxPoolMembers, memberProblem } from '@gantry/api/network/subnet-pool.rules'
import { ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import type { NewRow, Row } from '../../db/tables.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { keysetPage, textKey } from '../../list/keyset-page.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { insufficient, invalid, refuseIf } from '../../context/refusal.ts'
import { giveBlocks } from '../recycle-bin/give-way.ts'
import { takeTurn } from '../ip-pools/ranges.ts'
import { memberRow } from './member-row.ts'

const memberView = (row: Row<'subnet_pool_member'>): SubnetPoolMember => ({
  id: row.id,
  subnet_pool_id: row.subnet_pool_id,
  subnet: row.subnet,
  min_prefix_length: row.min_prefix_length,
  max_prefix_length: row.max_prefix_length,
  time_created: row.time_created.toISOString(),
})

const keys = {
  subnet: {
    ...textKey('first_key', (text) => /^4[\da-f]{8}$|^6[\da-f]{32}$/.test(text)),
    isUnique: true,
  },
}

/** The only order; clients name none. */
const inOrder = { ...ops.subnetPoolMemberList, sorts: ['subnet_ascending'] }

export async function listMembers(
  cx: Cx,
  at: Selectors,
  query: { limit?: number | null | undefined; page_token?: string | null | undefined },
) {
  const { row: pool } = await need(cx, 'subnet_pool', at, 'list_children')
  const where = async () => [sql`t.subnet_pool_id = ${pool.id}`]
  return keysetPage(cx, inOrder, 'subnet_pool_member', query, { keys, where }, memberView)
}

export async function addMember(cx: Cx, at: Selectors, body: SubnetPoolMemberAdd): Promise<SubnetPoolMember> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  const { subnet, min_prefix_length: minPrefixLength, max_prefix_length: maxPrefixLength } = body
  const member = { subnet, minPrefixLength, maxPrefixLength }
  const problem = memberProblem(member, row.ip_version)
  if (problem) throw invalid(problem, 'Correct the network or its prefix lengths.')
  const unreachable = unreachableIn(subnet)
  // A simulated machine has whatever address it is given.
  if (unreachable && !cx.services.fleet.isSimulated)
    throw invalid(unreachable, 'Leave those addresses out of the network.')
  return change(cx, fleetScope, async (tx) => {
    await takeTurn(tx)
    const pool = await tx.lock('subnet_pool', row)
    const added = memberRow(cx.newId(), pool.id, member, cx.now())
    const taken = (await overlapping(tx, added)) ?? (await overlappingRange(tx, added))
    if (taken)
      throw invalid(
        `The provided subnet ${subnet} overlaps with ${taken.what}`,
        `${taken.help} Choose another network.`,
      )
    const members = tx.read
      .selectFrom('subnet_pool_member')
      .select((eb) => eb.fn.countAll<number>().as('count'))
    const { count } = await members.where('subnet_pool_id', '=', pool.id).executeTakeFirstOrThrow()
    refuseIf(
      count >= maxPoolMembers &&
        insufficient(`the subnet pool already has the maximum of ${maxPoolMembers} members`, {
          help: 'Remove a member first, or create another pool.',
        }),
    )
    const stored = await tx.plain
      .insertInto('subnet_pool_member')
      .values(added)
      .returningAll()
      .executeTakeFirstOrThrow()
    const view = memberView(stored)
    const { min_prefix_length, max_prefix_length } = view
    const told = { subnet_pool: pool.name, subnet, min_prefix_length, max_prefix_length }
    tx.note('subnet-pool-member', stored.id, undefined, told)
    return view
  })
}

function unreachableIn(subnet: string): string | undefined {
  const net = parseIpNet(subnet)
  if (!net) return undefined
  const { version, first, last } = net
  return unreachableProblem(formatIp({ version, value: first }), formatIp({ version, value: last }))
}

type Added = Pick<NewRow<'subnet_pool_member'>, 'first_key' | 'last_key'>
interface Taken {
  what: string
  help: string
}

async function overlapping(tx: Change, { first_key, last_key }: Added): Promise<Taken | undefined> {
  const other = await tx.read
    .selectFrom('subnet_pool_member')
    .innerJoin('subnet_pool', 'subnet_pool.id', 'subnet_pool_member.subnet_pool_id')
    .select(['subnet', 'subnet_pool.name'])
    .where('first_key', '<=', last_key)
    .where('last_key', '>=', first_key)
    .orderBy('first_key')
    .executeTakeFirst()
  return other && { what: 'an existing member', help: `Subnet pool ${other.name} has ${other.subnet}.` }
}

async function overlappingRange(tx: Change, { first_key, last_key }: Added): Promise<Taken | undefined> {
  const range = await tx.read
    .selectFrom('ip_pool_range')
    .innerJoin('ip_pool', 'ip_pool.id', 'ip_pool_range.ip_pool_id')
    .select(['first_ip', 'last_ip', 'ip_pool.name'])
    .where('first_key', '<=', last_key)
    .where('last_key', '>=', first_key)
    .orderBy('first_key')
    .executeTakeFirst()
  return (
    range && {
      what: 'a range of an IP pool',
      help: `IP pool ${range.name} has ${range.first_ip}-${range.last_ip}.`,
    }
  )
}

export async function removeMember(cx: Cx, at: Selectors, { subnet }: { subnet: string }): Promise<void> {
  const { row } = await need(cx, 'subnet_pool', at, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const pool = await tx.lock('subnet_pool', row)
    const member = await tx.plain
      .selectFrom('subnet_pool_member')
      .selectAll()
      .where('subnet_pool_id', '=', pool.id)
      .where('subnet', '=', subnet)
      .forUpdate()
      .executeTakeFirst()
    if (!member)
      throw invalid(
        `The provided subnet ${subnet} is no member of the subnet pool`,
        `Name a member of the subnet pool ${pool.name} exactly.`,
      )
    await giveBlocks(tx, member.id, knownNet(member.subnet))
    const used = await tx.read
      .selectFrom('external_subnet')
      .select('subnet')
      .where('subnet_pool_member_id', '=', member.id)
      .where('time_deleted', 'is', null)
      .orderBy('first_int')
      .limit(1)
      .executeTakeFirst()
    if (used)
      throw invalid(
        'Members cannot be removed while external subnets are allocated from them',
        `${used.subnet} is the lowest one in use. Delete the external subnets in ${subnet} first.`,
      )
    await tx.plain.deleteFrom('subnet_pool_member').where('id', '=', member.id).execute()
    tx.note('subnet-pool-member', member.id, { subnet_pool: pool.name, subnet }, undefined)
  })
}
