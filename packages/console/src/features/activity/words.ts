// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { activityWords, tagField } from '@gantry/api/history/activity.rules'
import { unnamedActors } from '@gantry/api/system/audit.rules'
import { kindWord } from '#/kit/page/stored-values.ts'
import { formatNumber, plural, sentenceCase } from '#/ui/data/format.ts'
import type { ActivityChange, ActivityEntry } from './queries.ts'

/** A sentence around the object's name, which stands out and may lead to its page. */
export interface Sentence {
  before: string
  name: string
  after: string
}

type Told = Pick<ActivityEntry, 'changes' | 'changeCount' | 'outcome'>

/** `Deleted instance `, `db-1`, `, network interface nic0 and 2 disks`. */
export function sentenceOf({ changes: [lead, ...parts], outcome, changeCount }: Told): Sentence {
  if (!lead) return { before: '', name: '', after: '' }
  const noun = kindWord(lead.kind)
  if (outcome === 'refused') {
    const { asked } = activityWords[lead.action]
    // Something that does not exist has no name yet; the object is where it would have been.
    return lead.name === null && lead.other
      ? { before: `Refused to ${asked} ${withArticle(noun)} in `, name: lead.other.name, after: '' }
      : { before: `Refused to ${asked} ${noun} `, name: lead.name ?? '', after: '' }
  }
  const rest = beside(
    parts.filter(({ action }) => action === lead.action),
    parts.length + 1 < changeCount,
  )
  if (lead.action === 'failed')
    return { before: `${sentenceCase(noun)} `, name: lead.name ?? '', after: ` failed${rest}` }
  const before = `${lead.action === 'tagged' ? tagsChanged(lead) : activityWords[lead.action].done} ${noun}`
  return {
    before: lead.name === null ? before : `${before} `,
    name: lead.name ?? '',
    after: `${otherText(lead)}${rest}`,
  }
}

/** `Set tag env from test to prod of`, or of several tags `Changed 3 tags of`. */
function tagsChanged({ differences: [one, ...others] }: Pick<ActivityChange, 'differences'>): string {
  if (!one) return 'Tagged'
  if (others.length > 0) return `Changed ${formatNumber(others.length + 1)} tags of`
  const key = one.field.slice(tagField.length)
  // The value of a tag is a text; null is none.
  const [was, is] = [one.before, one.after] as (string | null)[]
  if (is === null || is === undefined) return `Removed tag ${key} from`
  if (!was) return is === '' ? `Set tag ${key} of` : `Set tag ${key} to ${is} of`
  return `Set tag ${key} from ${was} to ${is || 'no value'} of`
}

const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

function otherText({ kind, action, other }: ActivityChange): string {
  if (!other) return ''
  if (kind === 'snapshot') return ` of disk ${other.name}`
  return ` ${action === 'detached' ? 'from' : 'to'} instance ${other.name}`
}

/** What changed in the same way: `, network interface nic0 and 2 disks`. */
function beside(parts: readonly ActivityChange[], hasMore: boolean): string {
  const words = [...byKind(parts)].map(countedText)
  if (hasMore) words.push('more')
  if (words.length === 0) return ''
  if (words.length === 1) return ` and ${words[0]}`
  return `, ${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function byKind(parts: readonly ActivityChange[]): Map<string, ActivityChange[]> {
  const kinds = new Map<string, ActivityChange[]>()
  for (const part of parts) kinds.set(part.kind, [...(kinds.get(part.kind) ?? []), part])
  return kinds
}

function countedText([kind, parts]: [string, readonly ActivityChange[]]): string {
  const [first] = parts
  const noun = kindWord(kind)
  if (parts.length === 1) return `${noun}${first?.name ? ` ${first.name}` : ''}`
  return `${formatNumber(parts.length)} ${plural(noun, parts.length)}`
}

/** What it did elsewhere, a sentence for each action: `Detached disk data. Deleted external IP 203.0.113.7.` */
export function effectsOf({ changes: [lead, ...parts] }: Told): string[] {
  const actions = [...new Set(parts.map(({ action }) => action))].filter((action) => action !== lead?.action)
  return actions.map((action) => {
    const words = [...byKind(parts.filter((part) => part.action === action))].map(countedText)
    return `${activityWords[action].done} ${listed(words)}.`
  })
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** `mara, in the console`; of the platform, why. */
export function byText({
  actor,
  plannedBy,
  reason,
  outcome,
}: Pick<ActivityEntry, 'actor' | 'plannedBy' | 'reason' | 'outcome'>): string {
  const isWhy = outcome === 'done'
  if (actor.kind === 'platform') {
    // What a schedule did, the platform did for it.
    const who = actor.name === null ? 'Platform' : sentenceCase(actor.name)
    return reason && isWhy ? `${who}: ${reason}` : who
  }
  if (actor.kind === 'scim') return `SCIM${actor.token ? `, with token ${actor.token.id}` : ''}`
  if (actor.kind === 'anonymous') return unnamedActors.unauthenticated
  return `${actor.name ?? (actor.id === null ? unnamedActors.operator : 'A user who was deleted')}${meansText(actor)}${planText(plannedBy)}`
}

/** Who saved the plan that was committed: two people made this change. */
const planText = (plannedBy: ActivityEntry['plannedBy']): string =>
  plannedBy ? `, by a plan of ${plannedBy.name ?? 'a user who was deleted'}` : ''

function meansText({ authMethod, userAgent, token }: ActivityEntry['actor']): string {
  if (authMethod === 'session_cookie') return ', in the console'
  if (authMethod !== 'access_token') return ''
  const program = /^[\w-]{1,40}/.exec(userAgent ?? '')?.[0]
  return `, with ${token?.name ? `access token ${token.name}` : 'an access token'}${program && program !== 'Mozilla' ? ` by ${program}` : ''}`
}

/** Why it was refused or failed. */
export const problemOf = ({ outcome, reason }: Pick<ActivityEntry, 'outcome' | 'reason'>): string | null =>
  outcome === 'refused' || outcome === 'failed' ? reason : null
