import type { fabricOps } from '@gantry/api/rack-network/fabric'
import { extNetwork } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const fabricCases: CasesOf<typeof fabricOps> = {
  networkFabricView: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${extNetwork}/fabric`],
  },
}
