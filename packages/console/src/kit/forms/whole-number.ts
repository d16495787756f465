/**
 * The problem with a typed number that must be whole, or the one that `problem` finds with a whole one. Null while the
 * field is empty.
 */
export function wholeNumberProblem(
  value: number | null,
  label: string,
  problem?: (value: number) => string | undefined,
): string | undefined {
  if (value === null) return `${label} is required`
  if (!Number.isInteger(value)) return 'Must be a whole number'
  return problem?.(value)
}
