import { kindWord } from '#/kit/page/stored-values.ts'
import { plural } from '#/ui/data/format.ts'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import type { RecycledItem } from './queries.ts'

const minuteMs = 60_000

/** `21 h 8 min`, `6 days 3 h`. */
export function timeLeft(until: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((until.getTime() - now.getTime()) / minuteMs))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${days} ${plural('day', days)} ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

/** What one deletion took: `shop`, or `11 objects of project shop` where that is still there. */
export function nameOfWhole({ deletion, objectId, name }: RecycledItem): string {
  if (!deletion || deletion.objectId === objectId) return name
  return `${formatCount(deletion.items, 'object')} of ${kindWord(deletion.kind)} ${deletion.name}`
}

/** Parts that people know, by the word that they call them. */
const partNouns: Readonly<Record<string, string>> = {
  disk: 'disk',
  snapshot: 'snapshot',
  'instance-network-interface': 'interface',
  'vpc-firewall-rule': 'rule',
  'metric-query': 'saved query',
  schedule: 'schedule',
  'shared-view': 'shared view',
  'instance-template': 'template',
}

/** `3 disks, 1 interface`; for an address, that it stays reserved. */
export function withIt({ parts, ip, deletion }: Pick<RecycledItem, 'parts' | 'ip' | 'deletion'>): string {
  if (deletion) return formatCount(deletion.items - 1, 'object')
  if (ip) return `${ip} reserved`
  const known = Object.entries(parts).flatMap(([kind, count]) => {
    const noun = partNouns[kind]
    return noun === undefined ? [] : [formatCount(count, noun)]
  })
  return known.join(', ')
}

/** A part of a plan: `Disk boot`, `11 firewall rules`. */
export function stepText({ kind, name }: { kind: string; name: string }): string {
  const word = kindWord(kind)
  const isCount = /^\d+$/.test(name)
  if (isCount && kind === 'policy') return formatCount(Number(name), 'role')
  if (isCount) return formatCount(Number(name), word)
  const noun = kind === 'external-ip' ? 'address' : kind === 'instance-network-interface' ? 'interface' : word
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${name}`
}

/** `disk boot, subnet db and 3 more`. */
export function namesOf(items: readonly Pick<RecycledItem, 'kind' | 'name'>[], count: number): string {
  const shown = items.slice(0, 3).map(({ kind, name }) => `${kindWord(kind)} ${name}`)
  return formatSeries(count > shown.length ? [...shown, `${count - shown.length} more`] : shown)
}
