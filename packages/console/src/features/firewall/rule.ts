import type { OutputOf } from '@gantry/api/client/client'

/** A rule as the API tells of it. */
export type FirewallRule = OutputOf<'vpcFirewallRulesView'>['rules'][number]
/** What of a rule people decide, and all that is sent: identity and times are the server's. */
export type Rule = Pick<
  FirewallRule,
  'name' | 'description' | 'status' | 'action' | 'direction' | 'priority' | 'targets' | 'filters'
>
/** What a rule is for, or what is at the other end. */
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

/** Of the same priority, rules stay in the order of the server. */
export const byPriority = <Each extends Pick<Rule, 'priority'>>(rules: readonly Each[]): Each[] =>
  [...rules].sort((one, other) => one.priority - other.priority)

/** What can differ between two states of a rule, one field of the form each, in the order of the form. */
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

/** No filters of a kind and an empty list of them are the same. */
const partOf = (rule: Rule, field: RuleField) => (isFilter(field) ? (rule.filters[field] ?? []) : rule[field])

const isSamePart = (one: Rule, other: Rule, field: RuleField): boolean =>
  JSON.stringify(partOf(one, field)) === JSON.stringify(partOf(other, field))

export const differingFields = (one: Rule, other: Rule): RuleField[] =>
  ruleFields.filter((field) => !isSamePart(one, other, field))

export const isSameRule = (one: Rule, other: Rule): boolean =>
  ruleFields.every((field) => isSamePart(one, other, field))

/** One rule with some of its fields as another has them. */
export function withFieldsOf(rule: Rule, other: Rule, fields: readonly RuleField[]): Rule {
  const own = fields.filter((field) => !isFilter(field)).map((field) => [field, partOf(other, field)])
  const filters = fields.filter(isFilter).map((field) => [field, other.filters[field]])
  return {
    ...rule,
    ...(Object.fromEntries(own) as Partial<Rule>),
    filters: { ...rule.filters, ...(Object.fromEntries(filters) as Rule['filters']) },
  }
}
