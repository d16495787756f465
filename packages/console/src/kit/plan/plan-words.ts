// @chunk change-plans: of reviews and confirmations, which users open after the page.
import { activityWords } from '@gantry/api/history/activity.rules'
import { planLimits } from '@gantry/api/history/plan.rules'
import { spoken } from '@gantry/api/base/state.rules'
import { formatBytes, formatMemory, formatNumber, plural, sentenceCase } from '#/ui/data/format.ts'
import { kindWord } from '../page/stored-values.ts'
import type { Plan } from './plan.ts'

type PlanChange = Plan['changes'][number]
type Packet = Plan['packets']['changed'][number]
type Person = Plan['people'][number]

/** The sign before a change, and its word. */
export function signOf(action: PlanChange['action']): { sign: '+' | '~' | '−'; word: string } {
  const word = activityWords[action].done
  if (added.has(action)) return { sign: '+', word }
  return { sign: removed.has(action) ? '−' : '~', word }
}

const added: ReadonlySet<string> = new Set(['created', 'restored', 'attached'])
const removed: ReadonlySet<string> = new Set(['deleted', 'purged', 'detached'])

/** `1 created, 2 edited and 1 deleted.`, or how many of a long list are shown. */
export function changesText({ changes, changeCount }: Plan): string {
  if (changeCount === 0) return 'Nothing changes.'
  if (changeCount > changes.length)
    return `${formatNumber(changeCount)} changes; the first ${formatNumber(changes.length)} are shown.`
  const counts = new Map<string, number>()
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1)
  const words = [...counts].map(
    ([action, count]) =>
      `${formatNumber(count)} ${activityWords[action as PlanChange['action']].done.toLowerCase()}`,
  )
  return `${listed(words)}.`
}

/** `a, b and c`. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** `firewall rule allow-ssh`; a policy has no name of its own. */
export const objectText = ({ kind, name }: Pick<PlanChange, 'kind' | 'name'>): string =>
  name === null ? sentenceCase(kindWord(kind)) : `${kindWord(kind)} ${name}`

export const endText = (end: Packet['from']): string => end?.name ?? 'the internet'

/** What was tried, and that it was only thought through. */
export const triedText = ({ tried }: Plan['packets']): string =>
  `${formatNumber(tried)} packets were tried between instances of the VPC and the internet, of the ports that the changed rules name. None is sent.`

/** `viewer → none`, with those whose role comes and goes. */
export const rolesText = ({ before, after }: Pick<Person, 'before' | 'after'>): string =>
  `${roleList(before)} → ${roleList(after)}`

const roleList = (roles: readonly string[]): string => roles.map(spoken).join(', ') || 'no role'

export const personText = ({ type, name }: Pick<Person, 'type' | 'name'>): string => {
  const shown = name ?? 'someone of another silo'
  return type === 'silo_group' ? `Group ${shown}` : shown
}

/** `omar: collaborator → no access`. */
export function accessTexts({ access: { users, count } }: Plan): string[] {
  const lines = users.map(
    ({ name, before, after }) =>
      `${name ?? 'someone of another silo'}: ${spoken(before ?? 'no access')} → ${spoken(after ?? 'no access')}`,
  )
  return count > users.length ? [...lines, `and ${formatNumber(count - users.length)} more`] : lines
}

/** What the silo uses before and after: `CPU: 4 vCPU → 6 vCPU`. */
export function quotaTexts({ quota, used }: Pick<Plan, 'quota' | 'used'>): string[] {
  const change = (label: string, before: number, more: number, text: (size: number) => string) =>
    more === 0 ? [] : [`${label}: ${text(before)} → ${text(before + more)}`]
  return [
    ...change('CPU', used.cpus, quota.cpus, (size) => `${formatNumber(size)} vCPU`),
    ...change('Memory', used.memory, quota.memory, formatMemory),
    ...change('Storage', used.storage, quota.storage, formatBytes),
  ]
}

/** What happens to objects, counted by kind: `Deleted 2 routes`, `Edited subnet default`. */
export function effectTexts({ changes }: Plan): string[] {
  const groups = new Map<string, PlanChange[]>()
  for (const change of changes) {
    const key = `${change.action} ${change.kind}`
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { done } = activityWords[first.action]
    const noun = kindWord(first.kind)
    if (others.length === 0) return [`${done} ${noun}${first.name === null ? '' : ` ${first.name}`}`]
    return [`${done} ${formatNumber(others.length + 1)} ${plural(noun, others.length + 1)}`]
  })
}

/** `db: stopped → starting`. */
export const restartTexts = ({ restarts }: Plan): string[] =>
  restarts.map(({ name, from, to }) => `${name}: ${spoken(from)} → ${spoken(to)}`)

/** `TCP 22 from the internet to db no longer passes`. */
export function packetTexts({ packets: { tried, changed } }: Plan): string[] {
  if (tried > 0 && changed.length === 0)
    return [`Each of ${formatNumber(tried)} that were tried arrives, or does not, as before`]
  return changed.map(
    ({ packet, from, to, is }) =>
      `${packet} from ${endText(from)} to ${endText(to)} ${is ? 'passes then' : 'no longer passes'}`,
  )
}

/** What stays as it is, of what people ask about. Of what a task does later, its own plan tells. */
export function untouchedText(plan: Plan): string {
  if (plan.deletion) return ''
  const kinds = new Set(plan.changes.map(({ kind }) => kind))
  return listed([
    ...(quotaTexts(plan).length === 0 ? ['what the silo uses'] : []),
    ...(plan.restarts.length === 0 ? ['running instances'] : []),
    ...(plan.people.length === 0 && !kinds.has('policy') ? ['roles'] : []),
    ...(plan.packets.tried > 0 && plan.packets.changed.length === 0 ? ['packets that were tried'] : []),
  ])
}

/** `Commit 3 changes`. */
export const commitLabel = ({ changeCount }: Plan): string =>
  changeCount === 0 ? 'Commit' : `Commit ${formatNumber(changeCount)} ${plural('change', changeCount)}`

/** Whether the server may have left some out. */
export const isCut = (list: readonly unknown[]): boolean => list.length >= planLimits.affected

/** The first places of the hash, as people compare them: `c41e 90b7`. */
export const markOf = ({ hash }: Plan): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)}`
