import { spoken } from '@gantry/api/base/state.rules'
// @chunk difference-words: of accounts, plans and earlier states, which no list or form needs at once.
import type { OutputOf } from '@gantry/api/client/client'
import { tagField } from '@gantry/api/history/activity.rules'
import { tagText } from '@gantry/api/tags/tag-text.rules'
import { formatMemory, formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { valueText } from './stored-values.ts'

export type Difference = OutputOf<'activityList'>['items'][number]['changes'][number]['differences'][number]

const fieldLabels: Readonly<Record<string, string>> = {
  ncpus: 'CPU',
  cpus: 'CPU',
  instance: 'Attached to',
  ip: 'IP address',
  mac: 'MAC address',
  ipv4_block: 'IPv4 block',
  ipv6_block: 'IPv6 block',
  role_assignments: 'Roles',
  provision_policy: 'Provision policy',
  transit_ips: 'Transit IPs',
  is_primary: 'Primary',
  is_active: 'Active',
  scim_external_id: 'ID at the identity provider',
}

export interface ShownDifference {
  label: string
  before: string
  after: string
}

/** Differences in the words of the screen, as far as these differ. Of a list, what left it and what joined it. */
export function shownDifferences(differences: readonly Difference[]): ShownDifference[] {
  const shown = differences.map(({ field, before, after }) => {
    const [was, is] =
      Array.isArray(before) && Array.isArray(after)
        ? [without(before, after), without(after, before)]
        : [before, after]
    return {
      label: labelOf(field),
      before: fieldText(field, was),
      after: fieldText(field, is),
    }
  })
  return shown.filter(({ before, after }) => before === '' || before !== after)
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map((each) => JSON.stringify(each)))
  return list.filter((each) => !known.has(JSON.stringify(each)))
}

export const labelOf = (field: string): string =>
  field.startsWith(tagField)
    ? `Tag ${field.slice(tagField.length)}`
    : (fieldLabels[field] ?? sentenceCase(field))

/** A value of an object as its page writes it. */
export function fieldText(field: string, value: unknown): string {
  if (field.startsWith(tagField)) return value === '' ? 'no value' : valueText('tag', value)
  if (field === 'tags' && value) return tagsText(value)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number' && (field === 'ncpus' || field === 'cpus'))
    return `${formatNumber(value)} vCPU`
  if (typeof value === 'number' && field === 'memory') return formatMemory(value)
  if (field === 'role_assignments' && Array.isArray(value)) return value.map(roleText).join(', ')
  if (isRule(value)) return ruleText(value)
  if (field === 'protection' && value) return storedProtectionText(value)
  return valueText(field, value)
}

/** `env=prod, team=web`. */
const tagsText = (tags: object): string =>
  Object.entries(tags)
    .map(([key, value]) => tagText({ key, value: String(value) }))
    .join(', ')

/** `Cannot be deleted: holds the payroll`. */
function storedProtectionText(value: unknown): string {
  const { no_delete, no_stop, reason } = value as { no_delete?: boolean; no_stop?: boolean; reason?: string }
  const actions = [...(no_delete ? ['deleted'] : []), ...(no_stop ? ['stopped'] : [])]
  return `Cannot be ${actions.join(' or ')}: ${reason}`
}

interface Rule {
  action: string
  direction: string
  priority: number
  status: string
  filters?: { ports?: readonly string[] | null } | null
}

const isRule = (value: unknown): value is Rule =>
  typeof value === 'object' && value !== null && 'direction' in value && 'priority' in value

/** `Allow inbound, priority 10, ports 22, disabled`. */
function ruleText({ action, direction, priority, status, filters }: Rule): string {
  const ports = filters?.ports ?? []
  return [
    `${sentenceCase(action)} ${direction}`,
    `priority ${priority}`,
    ...(ports.length > 0 ? [`ports ${ports.join(', ')}`] : []),
    ...(status === 'disabled' ? ['disabled'] : []),
  ].join(', ')
}

function roleText(given: unknown): string {
  const { identity_id, role_name } = given as { identity_id?: string | null; role_name?: string }
  return `${identity_id ?? 'someone'} ${spoken(role_name ?? '')}`
}
