import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure } from '#/data/failure.ts'
import { valuesOf } from '#/features/firewall/form/rule-values.ts'
import { RuleForm } from '#/features/firewall/form/RuleForm.tsx'
import { firewallRules, nameQueries } from '#/features/firewall/queries.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const ChangedRuleForm = lazyPart(
  () => import('#/features/firewall/form/ChangedRuleForm.tsx'),
  'ChangedRuleForm',
)

/** A rule, with the change of the link that opened it, if any. Nothing is saved before the form is submitted. */
export const Route = createFileRoute(
  '/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/firewall-rules/$rule/edit/{-$change}',
)({
  loader: ({ context, params: { project, vpc } }) => context.begin(...nameQueries(project, vpc)),
  staticData: { title: 'Edit rule' },
  component: RuleEdit,
})

function RuleEdit() {
  const { rule, change = '' } = Route.useParams()
  return <Opened key={`${rule} ${change}`} />
}

function Opened() {
  const { project, vpc, rule: name, change = '' } = Route.useParams()
  const { data } = useSuspenseQuery(firewallRules(project, vpc))
  const [seen] = useState(data)
  const rule = seen.rules.find((each) => each.name === name)
  if (!rule) throw new Failure({ statusCode: 404, message: `The VPC has no firewall rule ${name}` })
  const opened = { project, vpc, seen, was: name }
  return change ? (
    <ChangedRuleForm {...opened} rule={rule} change={change} />
  ) : (
    <RuleForm {...opened} initial={valuesOf(rule)} />
  )
}
