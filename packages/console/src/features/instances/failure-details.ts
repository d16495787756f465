import { formatCount } from '#/ui/format-amounts.ts'
import { formatBytes, formatMemory, formatNumber } from '#/ui/format.ts'

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
 * server's words. Users who may read the fleet see which sleds; others see how many have each reason.
 */
export function failureLines(details: Details | null | undefined, maySeeSleds: boolean): Line[] {
  if (!details) return []
  return Object.entries(details).flatMap(([key, value]): Line[] => {
    if (key === 'sleds' && Array.isArray(value)) return sledLines(value.filter(isRecord), maySeeSleds)
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

function sledLines(sleds: readonly Details[], maySeeSleds: boolean): Line[] {
  if (maySeeSleds) return sleds.map(({ sled, reason }) => ({ what: words(sled), text: words(reason) }))
  const counts = new Map<string, number>()
  for (const { reason } of sleds) counts.set(words(reason), (counts.get(words(reason)) ?? 0) + 1)
  return [...counts].map(([text, count]) => ({ what: formatCount(count, 'sled'), text }))
}
