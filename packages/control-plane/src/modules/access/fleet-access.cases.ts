import type { fleetAccessOps } from '@gantry/api/people/fleet-access'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const fleetAccessCases: CasesOf<typeof fleetAccessOps> = {
  fleetAccessView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => ['/ext/v1/fleet-access'] },
  fleetUserList: {
    sent: { query: { name: 'a' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/fleet-users'],
  },
}
