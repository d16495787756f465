export interface Message {
  time: string
  direction: string
  type: string
  /** The other fields of the message, such as `asn 64500`. */
  details: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The messages of a history, newest first. The API does not define its form, so anything unexpected is skipped. */
export function messagesIn(history: unknown): Message[] {
  if (!Array.isArray(history)) return []
  return history
    .flatMap((each: unknown) => {
      if (!isRecord(each) || typeof each.time !== 'string' || !isRecord(each.message)) return []
      const { type, ...fields } = each.message
      return [
        { time: each.time, direction: word(each.direction), type: word(type), details: detailsOf(fields) },
      ]
    })
    .toReversed()
}

const word = (value: unknown): string => (typeof value === 'string' ? value : '')

const detailsOf = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([name, value]) =>
      `${spaced(name)} ${Array.isArray(value) ? value.join(' ') : String(value)}`.trim(),
    )
    .join(', ')

/** `holdTime` and `hold_time` in words. */
const spaced = (name: string): string =>
  name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (at) => ` ${at.toLowerCase()}`)
