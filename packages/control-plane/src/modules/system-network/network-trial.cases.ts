import type { networkTrialOps } from '@gantry/api/rack-network/network-trial'
import { extNetwork, id } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

const anyAddress = { type: 'allow_list', allowed_ips: { allow: 'any' } }

export const networkTrialCases: CasesOf<typeof networkTrialOps> = {
  networkImpactView: {
    sent: { body: anyAddress },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${extNetwork}/impact`, { type: 'allow_list', allowed_ips: { allow: 'any' } }],
  },
  networkTrialList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${extNetwork}/trials`],
  },
  networkTrialCreate: {
    sent: { body: anyAddress },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [
      `${extNetwork}/trials`,
      { type: 'switch_port', switch_port_id: ids.port, port_settings: 'uplink' },
    ],
  },
  networkTrialConfirm: {
    sent: { path: { trial_id: id } },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [`${extNetwork}/trials/${ids.rack}/confirm`],
    missing: true,
  },
  networkTrialRevert: {
    sent: { path: { trial_id: id } },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [`${extNetwork}/trials/${ids.rack}/revert`],
    missing: true,
  },
}
