import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { prefetchNames } from '../../../../../../../../features/networking/firewall/form/prefetch-names.ts'
import { copyOf, newRule } from '../../../../../../../../features/networking/firewall/form/rule-values.ts'
import { RuleForm } from '../../../../../../../../features/networking/firewall/form/RuleForm.tsx'
import { firewallRules } from '../../../../../../../../features/networking/firewall/queries.ts'
import { vpcPaths } from '../../../../../../../../features/networking/vpcs/paths.ts'

/** A new rule, or a copy of the one in the path; a rule that is not there leaves the form blank. */
export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/firewall-rules-new/{-$rule}',
)({
  loader: ({ context, params: { project, vpc } }) => prefetchNames(context.queryClient, project, vpc),
  staticData: {
    crumb: ({ project = '', vpc = '' }) => ({
      label: 'New Rule',
      path: vpcPaths.firewallRuleCreate(project, vpc),
      titleOnly: true,
    }),
  },
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
  return <RuleForm project={project} vpc={vpc} seen={seen} initial={copied ? copyOf(copied) : newRule} />
}
