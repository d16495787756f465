import { switchLocations } from '@gantry/api/rack-network/address-lot.rules'
import { RadioField } from '#/kit/forms/choice-fields.tsx'

/** The problem with a field's number; undefined for an integer within the bounds. */
export const numberProblem =
  (label: string, min: number, max: number) =>
  (value: number | null): string | undefined => {
    if (value === null) return `${label} is required`
    return outside(value, min, max)
  }

/** The same for an optional field. */
export const optionalProblem =
  (min: number, max: number) =>
  (value: number | null): string | undefined =>
    value === null ? undefined : outside(value, min, max)

const outside = (value: number, min: number, max: number): string | undefined =>
  Number.isInteger(value) && value >= min && value <= max
    ? undefined
    : `Must be a whole number from ${min} to ${max}`

export const maxU32 = 4_294_967_295

const options = switchLocations.map((value) => ({ value, label: value }))

/** One of the two switches of the rack. */
export const SwitchField = () => <RadioField name="switchLocation" label="Switch" options={options} />
