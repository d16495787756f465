import type { usageOps } from '@gantry/api/usage/usage'
import { atlas } from '../../testing/case-values.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

const prices = {
  currency: 'EUR',
  prices: { vcpu: 0.02, memory: 0.005, disk: 0.0001, snapshot: 0.0001, image: 0.0001, address: 0.004 },
}

export const usageCases: CasesOf<typeof usageOps> = {
  usageView: {
    sent: { query: { month: '2026-10', project: 'atlas', tag: 'env' } },
    rule: on('list_children', 'project'),
    allowed: () => [`/ext/v1/usage?month=2024-01&${atlas}`],
  },
  systemUsageView: {
    sent: { query: { month: '2026-10', silo: 'forge' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/usage?month=2024-01'],
  },
  usagePricesView: {
    sent: {},
    rule: openly('read', 'fleet'),
    allowed: () => ['/ext/v1/system/usage-prices'],
  },
  usagePricesUpdate: {
    sent: { body: prices },
    rule: openly('modify', 'fleet'),
    allowed: () => ['/ext/v1/system/usage-prices', prices],
  },
}
