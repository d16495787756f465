/** Whether two values are the same JSON, ignoring the order of keys, which databases do not preserve. */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, sortingKeys) === JSON.stringify(other, sortingKeys)

const sortingKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
