import { GiB } from '../base/bytes.rules.ts'
import type { RunState } from '../compute/instance.rules.ts'

/** What is counted: amounts times seconds. Memory and everything stored are counted in bytes. */
export const meters = ['vcpu', 'memory', 'disk', 'snapshot', 'image', 'address'] as const
export type Meter = (typeof meters)[number]

/** The kinds of objects whose change records the counts come from, by their words. */
export const meteredKinds = ['instance', 'disk', 'snapshot', 'image', 'floating-ip'] as const

/** An instance uses its vCPUs and memory from its start until its machine has ended. */
export const usingStates = [
  'starting',
  'running',
  'stopping',
  'rebooting',
  'migrating',
  'repairing',
] as const satisfies readonly RunState[]

/** How much of a meter one hour of one unit is. */
export const unitHour: Readonly<Record<Meter, number>> = {
  vcpu: 3600,
  memory: 3600 * GiB,
  disk: 3600 * GiB,
  snapshot: 3600 * GiB,
  image: 3600 * GiB,
  address: 3600,
}

/** The unit of each meter, as it is read. */
export const meterWords: Readonly<Record<Meter, { label: string; unit: string; each: string }>> = {
  vcpu: { label: 'vCPU', unit: 'vCPU h', each: 'vCPU hour' },
  memory: { label: 'Memory', unit: 'GiB h', each: 'GiB hour of memory' },
  disk: { label: 'Disks', unit: 'GiB h', each: 'GiB hour of disks' },
  snapshot: { label: 'Snapshots', unit: 'GiB h', each: 'GiB hour of snapshots' },
  image: { label: 'Images', unit: 'GiB h', each: 'GiB hour of images' },
  address: { label: 'Addresses', unit: 'h', each: 'hour of a floating IP' },
}

export const usageLimits = {
  /** Lines of one report; the others are summed up in one. */
  lines: 1000,
  /** Distinct tags that are counted apart in one project; keys with the most values are not told apart first. */
  tags: 2000,
  /** Characters of a currency's name. */
  currency: 8,
  /** Of the currency, for an hour of one unit. */
  price: 1_000_000,
} as const

const monthPattern = /^(20\d\d)-(0[1-9]|1[0-2])$/

/** Why a text is not a month; undefined if it is one. */
export const monthProblem = (text: string): string | undefined =>
  monthPattern.test(text) ? undefined : 'a month is written as 2026-10'

/** When a month begins and ends, in UTC, in milliseconds. */
export function monthBounds(month: string): { from: number; to: number } {
  const [, year = '', of = ''] = monthPattern.exec(month) ?? []
  return { from: Date.UTC(Number(year), Number(of) - 1), to: Date.UTC(Number(year), Number(of)) }
}

/** The month, in UTC, of a time. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

/** The month that lies so many before or after. */
export const monthBeside = (month: string, by: number): string => {
  const [year = 0, of = 0] = month.split('-').map(Number)
  return monthOf(new Date(Date.UTC(year, of - 1 + by)))
}

/** What hours cost. */
export const costOf = (
  hours: Readonly<Record<Meter, number>>,
  prices: Readonly<Record<Meter, number>>,
): number => meters.reduce((sum, meter) => sum + hours[meter] * prices[meter], 0)
