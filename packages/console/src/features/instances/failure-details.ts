interface Line {
  what: string
  text: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * What a failure's details say, line by line. Sleds come with their reasons; whatever else a server adds is shown
 * as it is, because it is there to be read.
 */
export function failureLines(details: Record<string, unknown> | null | undefined): Line[] {
  if (!details) return []
  return Object.entries(details).flatMap(([key, value]): Line[] => {
    if (key !== 'sleds' || !Array.isArray(value))
      return [{ what: key.replaceAll('_', ' '), text: words(value) }]
    return value.filter(isRecord).map(({ sled, reason }) => ({ what: words(sled), text: words(reason) }))
  })
}
