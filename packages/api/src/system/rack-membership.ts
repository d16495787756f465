import { z } from 'zod'
import { family, get, post } from '../op.ts'
import { list, maybe, named, text, Timestamp, Uuid } from '../schema.ts'
import { membershipStates, rackSleds } from './hardware.rules.ts'

const boardText = text(128)
const Board = named('BaseboardId', z.object({ part_number: boardText, serial_number: boardText }))
export type Board = z.infer<typeof Board>

const Version = named(
  'RackMembershipVersion',
  z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).meta({ format: 'uint64' }),
)
export const RackMembership = named(
  'RackMembershipStatus',
  z.object({
    rack_id: Uuid,
    version: Version,
    state: named('RackMembershipChangeState', z.enum(membershipStates)),
    members: z.array(Board),
    /** Members that have not confirmed this version. */
    unacknowledged_members: z.array(Board),
    time_created: Timestamp,
    time_committed: Timestamp.nullable(),
    time_aborted: Timestamp.nullable(),
  }),
)
export type RackMembership = z.infer<typeof RackMembership>

const path = z.object({ rack_id: Uuid })
const base = '/v1/system/hardware/racks/{rack_id}/membership'

export const rackMembershipOps = family('system/hardware', ['rack-membership'], {
  rackMembershipStatus: get(base, {
    since: 2026012100,
    summary: 'Fetch the sleds that are members of a rack, and the progress of their latest change',
    path,
    query: z.object({ version: maybe(z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)) }),
    returns: RackMembership,
  }),
  rackMembershipAddSleds: post(`${base}/add`, {
    since: 2026012100,
    summary: 'Add uninitialized sleds to a rack',
    path,
    body: named(
      'RackMembershipAddSledsRequest',
      z.object({ sled_ids: list(Board, rackSleds.max).min(1, 'expected at least one sled') }),
    ),
    returns: RackMembership,
    status: 200,
  }),
  rackMembershipAbort: post(`${base}/abort`, {
    since: 2026020200,
    summary: 'Abort the change of the members of a rack that is in progress',
    path,
    returns: RackMembership,
    status: 200,
  }),
})
