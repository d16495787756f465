import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { copyOf, newRule } from '#/features/firewall/form/rule-values.ts'
import { RuleForm } from '#/features/firewall/form/RuleForm.tsx'
import { firewallRules, nameQueries } from '#/features/firewall/queries.ts'

/** A new rule, or a duplicate of the one in the path. If that rule does not exist, the form is blank. */
export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/firewall-rules-new/{-$rule}',
)({
  loader: ({ context, params: { project, vpc } }) => context.begin(...nameQueries(project, vpc)),
  staticData: { title: 'New rule' },
  component: RuleNew,
})

function RuleNew() {
  const { rule } = Route.useParams()
  return <Opened key={rule ?? ''} />
}

function Opened() {
  const { project, vpc, rule: name } = Route.useParams()
  const { data } = useSuspenseQuery(firewallRules(project, vpc))
  const [seen] = useState(data)
  const copied = seen.rules.find((rule) => rule.name === name)
  return <RuleForm project={project} vpc={vpc} seen={seen} initial={copied ? copyOf(copied) : newRule(vpc)} />
}
