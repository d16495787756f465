import { z } from 'zod'
import { family, get, put } from '../op.ts'
import { maybe, named, NameOrId, text, Timestamp, Uuid } from '../schema.ts'
import { tagKeyProblem, tagLimits } from '../tags/tag.rules.ts'
import { type Meter, meters, monthProblem, usageLimits } from './usage.rules.ts'

const eachMeter = <Schema extends z.ZodType>(schema: Schema) =>
  z.object(Object.fromEntries(meters.map((meter) => [meter, schema])) as Record<Meter, Schema>)

/** In UTC; by default the one that now is. */
const Month = text(7, 'a month is written as 2026-10').superRefine((value, context) => {
  const message = monthProblem(value)
  if (message) context.addIssue({ code: 'custom', message })
})
const TagKey = text(
  tagLimits.key,
  `the key of a tag may contain at most ${tagLimits.key} characters`,
).superRefine((value, context) => {
  const message = tagKeyProblem(value)
  if (message) context.addIssue({ code: 'custom', message })
})

const UsagePrices = named(
  'UsagePrices',
  z.object({
    /** As it is written after an amount; empty if nothing has a price. */
    currency: text(usageLimits.currency, `a currency may contain at most ${usageLimits.currency} characters`),
    /** For an hour of one vCPU, of one GiB, of one address. */
    prices: eachMeter(z.number().min(0).max(usageLimits.price)),
  }),
)
export type UsagePrices = z.infer<typeof UsagePrices>

/** vCPU hours, GiB hours, address hours. */
const Hours = named('UsageHours', eachMeter(z.number()))

const Named = z.object({ id: Uuid, name: z.string() })

const UsageLine = named(
  'UsageLine',
  z.object({
    /** Null where the line is of no silo, of the silo itself or of several projects. */
    silo: Named.nullable(),
    project: Named.nullable(),
    /** The value of the tag that the report is by; null for what has no such tag. */
    tag: z.string().nullable(),
    /** So many further lines are summed up in this one. */
    others: z.number().int(),
    hours: Hours,
    cost: z.number(),
  }),
)
export type UsageLine = z.infer<typeof UsageLine>

const UsageReport = named(
  'UsageReport',
  z.object({
    month: z.string(),
    from: Timestamp,
    /** Until when it is counted: the end of the month, or now. */
    through: Timestamp,
    /** Since when use is counted, where that is after the month's begin. */
    known_from: Timestamp.nullable(),
    ...UsagePrices.shape,
    /** What costs most comes first. */
    lines: z.array(UsageLine),
    total: z.object({ hours: Hours, cost: z.number() }),
    /** Of each day that has passed, and of today. */
    days: z.array(z.object({ day: z.string(), hours: Hours, cost: z.number() })),
  }),
)
export type UsageReport = z.infer<typeof UsageReport>

export const usageOps = family('extensions', ['usage-prices'], {
  usageView: get('/ext/v1/usage', {
    summary: 'Fetch what a project, or all that you may see in your silo, used in a month, and what it costs',
    query: z.object({
      month: maybe(Month),
      project: maybe(NameOrId),
      /** By the values of this tag; without it, by project. */
      tag: maybe(TagKey),
    }),
    returns: UsageReport,
  }),
  systemUsageView: get('/ext/v1/system/usage', {
    summary: 'Fetch what each silo, or each project of one, used in a month, and what it costs',
    query: z.object({ month: maybe(Month), silo: maybe(NameOrId) }),
    returns: UsageReport,
  }),
  usagePricesView: get('/ext/v1/system/usage-prices', {
    summary: 'Fetch the prices of what silos use',
    returns: UsagePrices,
  }),
  usagePricesUpdate: put('/ext/v1/system/usage-prices', {
    summary: 'Update the prices of what silos use',
    body: UsagePrices,
    returns: UsagePrices,
  }),
})
