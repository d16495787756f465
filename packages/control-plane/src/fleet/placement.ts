import { exactBytes } from '@gantry/api/bytes.rules'
import { insufficient, invalid, type Refusal } from '../kernel/refusal.ts'

/** A sled as placement sees it. */
export interface Candidate {
  id: string
  serial: string
  is_provisionable: boolean
  /** Taken out by a fault. */
  is_lost: boolean
  free_threads: number
  free_memory: number
}

/** Sleds that hold other members of the instance's groups, by what that means for it. */
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

interface Wanted {
  ncpus: number
  memory: number
}

const failed = 'Failed to place instance: '
const advice = 'Try a smaller size, stop instances that are not needed, or ask the operator for more sleds.'

/** Why a sled cannot take the machine; undefined when it can. */
export function whyNotThere(sled: Candidate, wanted: Wanted, banned: boolean): string | undefined {
  if (sled.is_lost) return 'the sled is out of reach'
  if (!sled.is_provisionable) return 'the sled takes no new instances'
  const short: string[] = []
  if (sled.free_threads < wanted.ncpus) short.push(`${sled.free_threads} of ${wanted.ncpus} vCPUs free`)
  if (sled.free_memory < wanted.memory)
    short.push(`${exactBytes(sled.free_memory)} of ${exactBytes(wanted.memory)} memory free`)
  if (short.length > 0) return short.join(', ')
  return banned ? 'holds another member of an anti-affinity group' : undefined
}

/**
 * Chooses a sled, or says for each why not (control plane reference, B 5.5): one required sled or none, never
 * a banned one; then preferred, neutral, unpreferred; the emptiest of those.
 */
export function place(
  sleds: readonly Candidate[],
  wanted: Wanted,
  wishes: Preferences,
): { sled: Candidate } | { refusal: Refusal } {
  const group = 'This instance belongs to an affinity group that requires it'
  if (wishes.required.size > 1)
    return {
      refusal: invalid(
        `${failed}${group} be placed on more than one sled`,
        'Take it out of one of the groups.',
      ),
    }
  const [required] = wishes.required
  if (required && wishes.banned.has(required))
    return {
      refusal: invalid(
        `${failed}${group} to be placed on a sled that its anti-affinity group forbids`,
        'Take it out of one of the groups.',
      ),
    }

  const reasons = sleds.map((sled) => ({
    sled,
    reason: whyNotThere(sled, wanted, wishes.banned.has(sled.id)),
  }))
  const fitting = reasons.filter(({ reason }) => reason === undefined).map(({ sled }) => sled)
  const details = {
    sleds: reasons.map(({ sled, reason }) => ({ sled: sled.serial, reason: reason ?? 'fits' })),
  }
  const allowed = required ? fitting.filter((sled) => sled.id === required) : fitting
  if (allowed.length === 0) {
    const text = required
      ? `${failed}${group} to be placed on a sled that cannot take it`
      : `${failed}Could not find any valid sled on which this instance can be placed`
    return { refusal: insufficient(text, { help: advice, details }) }
  }
  const rank = ({ id }: Candidate): number =>
    Number(wishes.unpreferred.has(id)) - Number(wishes.preferred.has(id))
  const [best] = [...allowed].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.free_memory - a.free_memory ||
      b.free_threads - a.free_threads ||
      (a.id < b.id ? -1 : 1),
  )
  return { sled: best as Candidate }
}
