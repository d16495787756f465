import type { bfdOps } from '@gantry/api/rack-network/bfd'
import { network, next } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const bfdCases: CasesOf<typeof bfdOps> = {
  networkingBfdEnable: {
    sent: {
      body: {
        switch: 'switch0',
        remote: '192.0.2.1',
        detection_threshold: 3,
        required_rx: 1000,
        mode: 'single_hop',
      },
    },
    rule: openly('read', 'fleet'),
    allowed: () => [
      `${network}/bfd-enable`,
      {
        switch: 'switch0',
        remote: `192.0.2.${next() % 250}`,
        detection_threshold: 3,
        required_rx: 1,
        mode: 'single_hop',
      },
    ],
  },
  networkingBfdDisable: {
    sent: { body: { switch: 'switch0', remote: '192.0.2.1' } },
    rule: openly('read', 'fleet'),
    allowed: () => [`${network}/bfd-disable`, { switch: 'switch0', remote: '192.0.2.1' }],
  },
  networkingBfdStatus: { sent: {}, rule: openly('read', 'fleet'), allowed: () => [`${network}/bfd-status`] },
}
