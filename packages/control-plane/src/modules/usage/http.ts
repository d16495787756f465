import { implement } from '../../pipeline/implement.ts'
import { updatePrices, viewPrices } from './prices.ts'
import { viewSystemUsage, viewUsage } from './report.ts'

export const usageHttp = implement({
  usageView: (cx, { query }) => viewUsage(cx, query),
  systemUsageView: (cx, { query }) => viewSystemUsage(cx, query),
  usagePricesView: viewPrices,
  usagePricesUpdate: (cx, { body }) => updatePrices(cx, body),
})
