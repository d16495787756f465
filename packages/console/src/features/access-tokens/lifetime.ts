import { tokenSecondsMax } from '@gantry/api/people/device.rules'

/** Largest unit first, each in seconds. */
const secondsIn = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 } as const
export type LifetimeUnit = keyof typeof secondsIn

export const lifetimeUnits = Object.keys(secondsIn) as LifetimeUnit[]

export interface Lifetime {
  amount: number
  unit: LifetimeUnit
}

export const secondsOf = ({ amount, unit }: Lifetime): number => amount * secondsIn[unit]

/** Seconds in the largest unit that needs no fraction. */
export function lifetimeOf(seconds: number): Lifetime {
  const unit = lifetimeUnits.find((each) => seconds % secondsIn[each] === 0) ?? 'seconds'
  return { amount: seconds / secondsIn[unit], unit }
}

export function lifetimeText(seconds: number): string {
  const { amount, unit } = lifetimeOf(seconds)
  return `${amount.toLocaleString()} ${amount === 1 ? unit.slice(0, -1) : unit}`
}

/** The validation error, if any. */
export function lifetimeProblem(amount: number | null, unit: LifetimeUnit): string | undefined {
  if (amount === null) return 'Maximum lifetime is required'
  if (!Number.isInteger(amount)) return 'Must be a whole number'
  if (amount < 1) return 'Must be at least 1'
  const max = Math.floor(tokenSecondsMax / secondsIn[unit])
  return amount > max ? `Must be ${max.toLocaleString()} ${unit} or less` : undefined
}
