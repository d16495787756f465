import type { Method } from '../op.ts'
import { initialVersion } from './newest.rules.ts'
import type { Range } from './version.rules.ts'

/** An operation of some versions for which nothing is left to do: it is refused, with what to send instead. */
export interface Retired extends Range {
  method: Method
  path: string
  help: string
}

/** From 2026010800 on, groups come and go with their members. */
const managing = { since: initialVersion, until: 2026010800 }
const memberships = '/v1/instances/{instance}/multicast-groups/{multicast_group}'
const group = '/v1/multicast-groups/{multicast_group}'
const joins = `Send PUT ${memberships}: a group is created with its first member.`
const leaves = `Send DELETE ${memberships}: a group ends with its last member.`

/** By what they were called. */
export const retired: Readonly<Record<string, Retired>> = {
  multicastGroupCreate: { ...managing, method: 'POST', path: '/v1/multicast-groups', help: joins },
  multicastGroupUpdate: { ...managing, method: 'PUT', path: group, help: joins },
  multicastGroupDelete: { ...managing, method: 'DELETE', path: group, help: leaves },
  multicastGroupMemberAdd: { ...managing, method: 'POST', path: `${group}/members`, help: joins },
  multicastGroupMemberRemove: {
    ...managing,
    method: 'DELETE',
    path: `${group}/members/{instance}`,
    help: leaves,
  },
}
