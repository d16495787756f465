import type { fleetInstanceOps } from '@gantry/api/system/fleet-instance'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const fleetInstanceCases: CasesOf<typeof fleetInstanceOps> = {
  systemInstanceList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/instances'],
  },
}
