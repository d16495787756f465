import { formatCount } from '#/ui/data/format-amounts.ts'
import { formatBytes, formatMemory, formatNumber } from '#/ui/data/format.ts'

interface Line {
  what: string
  text: string
}

type Details = Record<string, unknown>

const isRecord = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * The details of a failure, one per line, with amounts in the units on screen. Unknown details are shown in the
 * server's words.
 */
export function failureLines(details: Details | null | undefined): Line[] {
  if (!details) return []
  return Object.entries(details).flatMap(([key, value]): Line[] => {
    if (key === 'sleds' && Array.isArray(value)) return value.filter(isCounted).map(sledLine)
    // The name beside it is more useful.
    if (key.endsWith('_id')) return []
    const what = key.replace(/_?bytes$/, '').replaceAll('_', ' ')
    return [{ what: what || 'size', text: amount(key, value, details['kind']) }]
  })
}

const ofQuota = new Set(['wanted', 'used', 'quota'])
const kinds: Readonly<Record<string, string>> = { cpus: 'vCPUs', memory: 'Memory', storage: 'Storage' }

/** `kind` is the quota's resource, if the quota refused; amounts are bytes or vCPUs. */
function amount(key: string, value: unknown, kind: unknown): string {
  if (key === 'kind' && typeof value === 'string') return kinds[value] ?? value
  if (typeof value !== 'number') return words(value)
  const isOfQuota = ofQuota.has(key)
  if (isOfQuota && kind === 'cpus') return formatCount(value, 'vCPU')
  if (isOfQuota && kind === 'memory') return formatMemory(value)
  const isBytes = key.endsWith('bytes') || (isOfQuota && kind === 'storage')
  return isBytes ? formatBytes(value) : formatNumber(value)
}

/** How many sleds a reason applies to. Servers before this version named each one instead. */
interface Counted {
  count: number
  reason: string
}

const isCounted = (value: unknown): value is Counted => isRecord(value) && typeof value['count'] === 'number'

const sledLine = ({ count, reason }: Counted): Line => ({ what: formatCount(count, 'sled'), text: reason })
