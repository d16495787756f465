// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import type { OutputOf } from '@gantry/api/client/client'

/** A rule in the API's form. */
export type FirewallRule = OutputOf<'vpcFirewallRulesView'>['rules'][number]
/** The editable fields of a rule, which are all that is sent: the server sets identity and times. */
export type Rule = Pick<
  FirewallRule,
  'name' | 'description' | 'status' | 'action' | 'direction' | 'priority' | 'targets' | 'filters'
>
/** A target, or a remote host. */
export type Host = Rule['targets'][number]
export type Protocol = NonNullable<Rule['filters']['protocols']>[number]

export const ruleOf = (rule: Rule): Rule => ({
  name: rule.name,
  description: rule.description,
  status: rule.status,
  action: rule.action,
  direction: rule.direction,
  priority: rule.priority,
  targets: rule.targets,
  filters: rule.filters,
})

/** Rules of equal priority keep the server's order. */
export const byPriority = <Each extends Pick<Rule, 'priority'>>(rules: readonly Each[]): Each[] =>
  [...rules].sort((one, other) => one.priority - other.priority)

/** The fields in which two versions of a rule can differ, in the order of the form. */
export const ruleFields = [
  'status',
  'name',
  'description',
  'action',
  'direction',
  'priority',
  'targets',
  'ports',
  'protocols',
  'hosts',
] as const
export type RuleField = (typeof ruleFields)[number]

const filterFields = ['ports', 'protocols', 'hosts'] as const
type FilterField = (typeof filterFields)[number]
const isFilter = (field: RuleField): field is FilterField =>
  (filterFields as readonly RuleField[]).includes(field)

/** Missing filters of a kind equal an empty list of them. */
const partOf = (rule: Rule, field: RuleField) => (isFilter(field) ? (rule.filters[field] ?? []) : rule[field])

const isSamePart = (one: Rule, other: Rule, field: RuleField): boolean =>
  JSON.stringify(partOf(one, field)) === JSON.stringify(partOf(other, field))

export const differingFields = (one: Rule, other: Rule): RuleField[] =>
  ruleFields.filter((field) => !isSamePart(one, other, field))

export const isSameRule = (one: Rule, other: Rule): boolean =>
  ruleFields.every((field) => isSamePart(one, other, field))

/** A rule with some fields taken from another. */
export function withFieldsOf(rule: Rule, other: Rule, fields: readonly RuleField[]): Rule {
  const own = fields.filter((field) => !isFilter(field)).map((field) => [field, partOf(other, field)])
  const filters = fields.filter(isFilter).map((field) => [field, other.filters[field]])
  return {
    ...rule,
    ...(Object.fromEntries(own) as Partial<Rule>),
    filters: { ...rule.filters, ...(Object.fromEntries(filters) as Rule['filters']) },
  }
}
