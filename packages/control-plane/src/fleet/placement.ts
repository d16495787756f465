import { shownMemory } from '@gantry/api/base/bytes.rules'
import { type CpuFamily, type CpuPlatformName, runsPlatform } from '@gantry/api/compute/cpu-platform.rules'
import { type SledReason, sledReasons } from '@gantry/api/compute/placement.rules'
import { insufficient, Refusal } from '../context/refusal.ts'

/** A sled as placement sees it. */
export interface Candidate {
  id: string
  serial: string
  is_provisionable: boolean
  /** Marked lost by a fault. */
  is_lost: boolean
  cpu_family: CpuFamily | null
  free_vcpus: number
  free_memory: number
  /** Bytes that are free on each of its physical disks; read only for local disks. */
  free_storage: readonly number[]
}

/** What local disks demand. */
export interface LocalNeeds {
  /** Sleds that hold some of them. */
  sleds: ReadonlySet<string>
  /** Bytes that each of the others takes of a physical disk, the largest first. */
  sizes: readonly number[]
}

/** Sleds with other members of the instance's groups, by their effect on placement. */
export interface Preferences {
  banned: ReadonlySet<string>
  unpreferred: ReadonlySet<string>
  required: ReadonlySet<string>
  preferred: ReadonlySet<string>
}

export const noPreferences: Preferences = {
  banned: new Set(),
  unpreferred: new Set(),
  required: new Set(),
  preferred: new Set(),
}

export interface Requirements {
  ncpus: number
  memory: number
  /** Null for every sled. */
  cpu_platform: CpuPlatformName | null
  /** Absent without local disks. */
  local?: LocalNeeds | undefined
}

/** The evaluation of one sled; without a reason it can take the instance. The message is for readers of the fleet. */
export interface Verdict {
  sled: Candidate
  reason?: SledReason
  message: string
}

export type Placement = ({ sled: Candidate } | { refusal: Refusal }) & { verdicts: readonly Verdict[] }

const failed = 'Failed to place instance: '
const advice = 'Try a smaller size, stop unused instances, or ask the operator for more sleds.'

/** The short resource, if nothing else is in the way; reveals no more than the reasons in the details. */
function adviceOn(verdicts: readonly Verdict[]): string {
  const [first, ...others] = byReason(verdicts)
  if (!first || others.length > 0) return advice
  const [reason] = first
  const short = shortages[reason]
  return remedies[reason] ?? (short === undefined ? advice : `No sled has enough ${short}. ${advice}`)
}

/**
 * Selects a sled, or gives a reason for each (control plane reference, B 5.5): the required one if there is
 * one, never a banned one; then preferred, neutral, unpreferred; among those the emptiest.
 */
export function place(sleds: readonly Candidate[], wanted: Requirements, wishes: Preferences): Placement {
  const verdicts = sleds.map((sled) => verdictOn(sled, wanted, wishes))
  const rank = ({ id }: Candidate): number =>
    Number(wishes.unpreferred.has(id)) - Number(wishes.preferred.has(id))
  const [best] = verdicts
    .filter(({ reason }) => reason === undefined)
    .map(({ sled }) => sled)
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        b.free_memory - a.free_memory ||
        b.free_vcpus - a.free_vcpus ||
        (a.id < b.id ? -1 : 1),
    )
  return best ? { sled: best, verdicts } : { refusal: refusalOf(wishes, verdicts), verdicts }
}

function verdictOn(sled: Candidate, wanted: Requirements, wishes: Preferences): Verdict {
  const reason = rejectionReason(sled, wanted, wishes)
  if (!reason) return { sled, message: 'fits' }
  return {
    sled,
    reason,
    message: shortages[reason] ? shortage(sled, wanted) : sledReasons[reason].message,
  }
}

function rejectionReason(sled: Candidate, wanted: Requirements, wishes: Preferences): SledReason | undefined {
  if (sled.is_lost) return 'out_of_reach'
  if (!sled.is_provisionable) return 'not_provisionable'
  if (!runsPlatform(sled.cpu_family, wanted.cpu_platform)) return 'other_cpu'
  const lacks = { vcpus: sled.free_vcpus < wanted.ncpus, memory: sled.free_memory < wanted.memory }
  if (lacks.vcpus) return lacks.memory ? 'no_room' : 'no_vcpus'
  if (lacks.memory) return 'no_memory'
  const local = wanted.local && storageReason(sled, wanted.local)
  if (local) return local
  if (wishes.banned.has(sled.id)) return 'banned'
  return [...wishes.required].some((id) => id !== sled.id) ? 'not_required' : undefined
}

/** Why a sled cannot hold the local disks. */
export function storageReason(
  { id, free_storage }: Pick<Candidate, 'id' | 'free_storage'>,
  { sleds, sizes }: LocalNeeds,
): SledReason | undefined {
  if ([...sleds].some((other) => other !== id)) return 'other_storage'
  const free = [...free_storage]
  // As they are placed: each on the physical disk with the most free space.
  for (const size of sizes) {
    const most = free.indexOf(Math.max(...free))
    const left = (free[most] ?? 0) - size
    if (left < 0) return 'no_storage'
    free[most] = left
  }
  return undefined
}

const shortages: Partial<Record<SledReason, string>> = {
  no_vcpus: 'free vCPUs',
  no_memory: 'free memory',
  no_room: 'free vCPUs and memory',
}
/** What helps where one thing alone is in the way of every sled. */
const remedies: Partial<Record<SledReason, string>> = {
  other_cpu: 'No sled has processors of that CPU platform. Choose another one, or none.',
  other_storage: `Its local disks keep it on their sled, which cannot take it now. ${sledReasons.other_storage.help}`,
  no_storage: `No sled has enough free space for its local disks. ${sledReasons.no_storage.help}`,
}

/** The verdicts of sleds that cannot take the instance, by reason, the most common one first. */
export function byReason(verdicts: readonly Verdict[]): [SledReason, Verdict[]][] {
  const found = new Map<SledReason, Verdict[]>()
  for (const verdict of verdicts)
    if (verdict.reason) found.set(verdict.reason, [...(found.get(verdict.reason) ?? []), verdict])
  return [...found].sort(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
}

function shortage(sled: Candidate, wanted: Requirements): string {
  const short: string[] = []
  if (sled.free_vcpus < wanted.ncpus) short.push(`${sled.free_vcpus} of ${wanted.ncpus} vCPUs free`)
  if (sled.free_memory < wanted.memory)
    short.push(`${shownMemory(sled.free_memory)} of ${shownMemory(wanted.memory)} memory free`)
  return short.join(', ')
}

/**
 * Contradictory groups are the caller's error; everything else is a lack of capacity. Callers and readers of the
 * instance may not be allowed to read the fleet, so the details say neither which sleds exist nor how full they are.
 */
function refusalOf({ required, banned }: Preferences, verdicts: readonly Verdict[]): Refusal {
  const details = {
    sleds: byReason(verdicts).map(([reason, found]) => ({
      count: found.length,
      reason: sledReasons[reason].message,
    })),
  }
  const group = `${failed}This instance belongs to an affinity group that requires it`
  const contradiction = (text: string): Refusal =>
    new Refusal('InvalidRequest', `${group} ${text}`, {
      help: 'Remove it from one of the groups.',
      details,
    })
  const [one] = required
  if (required.size > 1) return contradiction('be placed on more than one sled')
  if (one && banned.has(one))
    return contradiction('to be placed on a sled that its anti-affinity group forbids')
  const text = one
    ? `${group} to be placed on a sled that cannot take it`
    : `${failed}Could not find any valid sled on which this instance can be placed`
  return insufficient(text, { help: adviceOn(verdicts), details })
}
