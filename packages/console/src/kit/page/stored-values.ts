// @chunk difference-words: of accounts, plans and earlier states, which no list or form needs at once.
import { kindNouns } from '@gantry/api/kind.gen'
import { formatBytes, formatDate, formatNumber, formatTimeToSecond, sentenceCase } from '#/ui/data/format.ts'

/** `vpc-firewall-rule` as `firewall rule`. */
export function kindWord(kind: string): string {
  const noun = kindNouns[kind]
  if (noun !== undefined) return noun
  const words = sentenceCase(kind)
  return /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/** `0.35 s`. */
export const secondsText = (seconds: number): string =>
  seconds > 0 && seconds < 0.01 ? `< ${formatNumber(0.01)} s` : `${formatNumber(seconds)} s`

const byteFields = new Set(['memory', 'size', 'storage', 'bytes_in', 'bytes_out'])

/** A stored value as people write it. */
export function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return ''
  if (Array.isArray(value)) {
    const values = value.map((each) => valueText(field, each))
    return values.join(value.some((each) => typeof each === 'object') ? '; ' : ', ')
  }
  if (isTyped(value)) return typedText(value)
  if (typeof value === 'object')
    return Object.entries(value)
      .flatMap(([inner, each]) => {
        const text = valueText(inner, each)
        return text === '' ? [] : [`${sentenceCase(inner)}: ${text}`]
      })
      .join(', ')
  if (typeof value === 'number' && field === 'seconds') return secondsText(value)
  if (typeof value === 'number' && byteFields.has(field)) return formatBytes(value)
  if (typeof value === 'string' && field.startsWith('time_') && !Number.isNaN(Date.parse(value))) {
    const time = new Date(value)
    return `${formatDate(time)}, ${formatTimeToSecond(time)}`
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What the API writes as a type, and what it is of that type: a target of a firewall rule, a destination, a protocol. */
interface Typed {
  type: string
  value?: string | null
}

const isTyped = (value: unknown): value is Typed =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([key, each]) =>
      (key === 'type' && typeof each === 'string') ||
      (key === 'value' && (each === null || typeof each === 'string')),
  ) &&
  'type' in value

const abbreviations: ReadonlySet<string> = new Set(['ip', 'vpc', 'tcp', 'udp', 'icmp', 'icmp6'])

/** `Subnet app`, `IP net 10.0.0.0/24`, `TCP`. */
function typedText({ type, value }: Typed): string {
  const words = sentenceCase(type)
    .split(' ')
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word))
  return [...words, ...(value ? [value] : [])].join(' ')
}
