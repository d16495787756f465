import type { HardwareChoice } from '@gantry/api/storage/hardware'
import { type Hardware, usualHardware } from '@gantry/api/storage/hardware.rules'

const fields = Object.keys(usualHardware) as (keyof Hardware)[]

/** Only what is given, without what is null, in one order. */
export const given = (choice: HardwareChoice | null | undefined): Partial<Hardware> =>
  Object.fromEntries(fields.flatMap((field) => (choice?.[field] == null ? [] : [[field, choice[field]]])))

/** A choice as it is stored; null for none. */
export const storedChoice = (choice: HardwareChoice | null | undefined): string | null => {
  const all = given(choice)
  return Object.keys(all).length === 0 ? null : JSON.stringify(all)
}

export const isSameChoice = (
  one: HardwareChoice | null | undefined,
  other: HardwareChoice | null | undefined,
): boolean => storedChoice(one) === storedChoice(other)

/** A choice from a column that a change is about to write. */
export const readChoice = (stored: unknown): HardwareChoice | null | undefined =>
  typeof stored === 'string'
    ? (JSON.parse(stored) as HardwareChoice)
    : (stored as HardwareChoice | null | undefined)
