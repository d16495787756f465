/** What is wrong with the number of a field; `undefined` for a whole number within the bounds. */
export const numberProblem =
  (label: string, min: number, max: number) =>
  (value: number | null): string | undefined => {
    if (value === null) return `${label} is required`
    return Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : `Must be a whole number from ${min} to ${max}`
  }
