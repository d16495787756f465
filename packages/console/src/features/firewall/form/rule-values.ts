import { nameMaxLength } from '@gantry/api/base/name.rules'
import { firewallLimits } from '@gantry/api/network/vpc-firewall.rules'
import type { Host, Protocol, Rule } from '../rule.ts'

/** The form's values. Text typed in a subform but not added is not part of the rule. */
export interface RuleValues {
  enabled: boolean
  name: string
  description: string
  action: Rule['action']
  direction: Rule['direction']
  priority: number | null
  targets: Host[]
  ports: string[]
  protocols: Protocol[]
  hosts: Host[]
  targetDraft: string
  portDraft: string
  protocolDraft: string
  hostDraft: string
}

const noDrafts = { targetDraft: '', portDraft: '', protocolDraft: '', hostDraft: '' }

/**
 * Applies to the whole VPC, because a rule without targets has no effect. The priority leaves room before and after.
 */
export const newRule = (vpc: string): RuleValues => ({
  enabled: true,
  name: '',
  description: '',
  action: 'allow',
  direction: 'inbound',
  priority: Math.ceil(firewallLimits.priority / 2),
  targets: [{ type: 'vpc', value: vpc }],
  ports: [],
  protocols: [],
  hosts: [],
  ...noDrafts,
})

export const valuesOf = (rule: Rule): RuleValues => ({
  enabled: rule.status === 'enabled',
  name: rule.name,
  description: rule.description,
  action: rule.action,
  direction: rule.direction,
  priority: rule.priority,
  targets: rule.targets,
  ports: rule.filters.ports ?? [],
  protocols: rule.filters.protocols ?? [],
  hosts: rule.filters.hosts ?? [],
  ...noDrafts,
})

const suffix = '-copy'

/** The values of a duplicate of this rule. */
export const copyOf = (rule: Rule): RuleValues => ({
  ...valuesOf(rule),
  name: rule.name.slice(0, nameMaxLength - suffix.length) + suffix,
})

export const ruleFrom = (values: RuleValues): Rule => ({
  name: values.name,
  description: values.description,
  status: values.enabled ? 'enabled' : 'disabled',
  action: values.action,
  direction: values.direction,
  priority: values.priority ?? 0,
  targets: values.targets,
  filters: { hosts: values.hosts, ports: values.ports, protocols: values.protocols },
})

const addWords = {
  targetDraft: 'Add target',
  portDraft: 'Add port filter',
  protocolDraft: 'Add protocol filter',
  hostDraft: 'Add host filter',
} as const

/** Reports filters typed but not added: without them the rule would match more than it seems to. */
export const draftProblems = (values: RuleValues): Partial<Record<keyof typeof addWords, string>> =>
  Object.fromEntries(
    Object.entries(addWords).flatMap(([draft, words]) =>
      values[draft as keyof typeof addWords] === ''
        ? []
        : [[draft, `This is not added yet. Select “${words}” or “Clear” first.`]],
    ),
  )
