import type { OutputOf } from '@gantry/api/client/client'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import { formatBytes, formatMemory, formatNumber } from '#/ui/data/format.ts'

export type Placement = Pick<OutputOf<'placementCheck'>, 'candidates' | 'sleds' | 'reasons' | 'refusal'>

interface VerdictInput {
  /** Undefined if the server cannot tell. */
  placement: Placement | undefined
  /** The quotas that the running instance would exceed; undefined if they are unknown. */
  over: readonly Over[] | undefined
  /** Whether it starts at once. */
  start: boolean
}

export interface Verdict {
  kind: 'fits' | 'unstartable' | 'refused'
  title: string
  /** Sentences with the shortage and the remedy. */
  reasons: string[]
  /** Whether it would at least be created if it did not start. */
  fitsStopped?: boolean
}

/** The outcome of creating an instance now, from free capacity and quota. Undefined if neither is known. */
export function verdictOf({ placement, over, start }: VerdictInput): Verdict | undefined {
  const hasRoom = placement === undefined || placement.candidates > 0
  const reasons = [
    ...overReason(over, 'storage'),
    ...(hasRoom ? [] : roomReasons(placement)),
    ...overReason(over, 'running'),
    ...(over && over.length > 0 ? ['The operator can raise the quota.'] : []),
  ]
  // A started instance uses all of it at once; a stopped one, storage alone.
  if (over?.some(({ kind }) => start || kind === 'storage'))
    return {
      kind: 'refused',
      title: 'The instance would not be created',
      reasons,
      fitsStopped: !over.some(({ kind }) => kind === 'storage'),
    }
  if (reasons.length > 0) {
    const title = start ? 'The instance would be created but not start' : 'The instance could not start now'
    return { kind: 'unstartable', title, reasons, fitsStopped: true }
  }
  if (!placement) return undefined
  const where = `${formatNumber(placement.candidates)} of ${formatCount(placement.sleds, 'sled')}`
  return { kind: 'fits', title: `Fits now on ${where}${over ? ' and within the quota' : ''}.`, reasons: [] }
}

const advice = {
  storage: 'Choose smaller disks, or delete unused disks and snapshots.',
  running: 'Choose a smaller size, or stop unused instances.',
}

function overReason(over: VerdictInput['over'] = [], what: keyof typeof advice): string[] {
  const amounts = over.filter(({ kind }) => (kind === 'storage') === (what === 'storage'))
  if (amounts.length === 0) return []
  return [`${formatSeries(amounts.map(({ by }) => by))} over the quota. ${advice[what]}`]
}

function roomReasons({ refusal, reasons }: Placement): string[] {
  // Each reason includes its remedy.
  const first = refusal && (reasons.length > 0 ? refusal.message : failureText(refusal))
  return [
    first ?? 'No sled has room.',
    ...reasons.map(({ message, help, count }) => `${formatCount(count, 'sled')}: ${message}. ${help}`),
  ]
}

export interface Amounts {
  cpus: number
  /** Bytes. */
  memory: number
  storage: number
}

interface Over {
  kind: keyof Amounts
  /** By how much: `4 vCPU`, `16 GiB of memory`. */
  by: string
}

/** The resources that exceed the quota. */
export function overQuota(used: Amounts, added: Amounts, of: Amounts): Over[] {
  const words = {
    cpus: (over: number) => `${formatNumber(over)} vCPU`,
    memory: (over: number) => `${formatMemory(over)} of memory`,
    storage: (over: number) => `${formatBytes(over)} of storage`,
  }
  return (['cpus', 'memory', 'storage'] as const).flatMap((kind) => {
    const over = used[kind] + added[kind] - of[kind]
    return added[kind] > 0 && over > 0 ? [{ kind, by: words[kind](over) }] : []
  })
}
