import type { Meter } from '@gantry/api/usage/usage.rules'
import type { Json } from './column-types.ts'

/** A project, or a silo for its images, whose use is counted day by day. Days are in UTC, as 2026-10-31. */
interface UsageUnitTable {
  id: string
  silo_id: string
  /** As it was called last. */
  name: string
  first_day: string
  /** The last day that is counted. */
  day: string
}
/** What a unit had at the end of the last day that is counted. */
interface UsageLevelTable {
  unit_id: string
  /** The project, or the silo for what is its own. */
  place_id: string
  meter: Meter
  /** Empty for the sum of all; otherwise one of its tags, `key=value`, or `key` for all values together. */
  tag_key: string
  tag: string
  amount: string
}
interface UsageMonthTable {
  silo_id: string
  place_id: string
  month: string
  tag_key: string
  tag: string
  meter: Meter
  /** Units times seconds. */
  amount: string
}
interface UsageDayTable {
  silo_id: string
  place_id: string
  day: string
  meter: Meter
  amount: string
}
/** The sums over a silo's projects, of which there may be thousands. */
interface UsageSiloDayTable {
  silo_id: string
  day: string
  meter: Meter
  amount: string
}
interface UsagePriceTable {
  /** There is one row. */
  id: number
  currency: string
  prices: Json<Record<Meter, number>>
}

export interface UsagePlain {
  usage_unit: UsageUnitTable
  usage_level: UsageLevelTable
  usage_month: UsageMonthTable
  usage_day: UsageDayTable
  usage_silo_day: UsageSiloDayTable
  usage_price: UsagePriceTable
}
