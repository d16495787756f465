import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '#/data/failure.ts'
import { valuesOf } from '#/features/firewall/form/rule-values.ts'
import { RuleForm } from '#/features/firewall/form/RuleForm.tsx'
import { firewallRules, nameQueries } from '#/features/firewall/queries.ts'

export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/firewall-rules/$rule/edit',
)({
  loader: ({ context, params: { project, vpc } }) => context.begin(...nameQueries(project, vpc)),
  staticData: { title: 'Edit Rule' },
  component: RuleEdit,
})

function RuleEdit() {
  const { rule } = Route.useParams()
  return <Opened key={rule} />
}

function Opened() {
  const { project, vpc, rule: name } = Route.useParams()
  const { data } = useSuspenseQuery(firewallRules(project, vpc))
  const [seen] = useState(data)
  const rule = seen.rules.find((each) => each.name === name)
  if (!rule) throw new Failure({ statusCode: 404, message: `The VPC has no firewall rule ${name}` })
  return <RuleForm project={project} vpc={vpc} seen={seen} was={name} initial={valuesOf(rule)} />
}
