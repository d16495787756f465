import type { OutputOf } from '@gantry/api/client/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Table } from '#/ui/data/Table.tsx'
import { firewallRuleLink } from '#/features/vpcs/links.ts'
import { effectiveRules } from '../queries.ts'
import { ActionCell } from '../rule-columns.tsx'
import { FilterTags, HostTag } from '../RuleTags.tsx'
import { directionWords } from '../words.ts'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { allInstances } from '#/features/instances/queries.ts'
import { allSubnets, interfacesOf } from '#/features/vpcs/queries.ts'

type Effective = OutputOf<'instanceFirewallRuleList'>['items'][number]

interface Props {
  project: string
  vpc: string
  /** The name of the selected instance; empty if none. */
  instance: string
  onChoose: (instance: string) => void
}

/** The rules that cover one instance, in evaluation order, each with its reason. */
export function EffectiveRulesCard({ project, vpc, instance, onChoose }: Props) {
  const { names, choices } = useInstancesIn(project, vpc)
  const columns = useMemo(() => columnsIn(project, vpc), [project, vpc])
  const { data, error, refetch } = useQuery({
    ...effectiveRules(project, instance),
    enabled: instance !== '',
  })
  const isElsewhere = instance !== '' && names && !names.includes(instance)
  return (
    <Card
      title="Which rules apply to an instance?"
      description="Enabled rules that apply to the instance, in evaluation order."
      flush
    >
      <div className="px-3.5 pb-3.5">
        <Field label="Instance">
          <Combobox
            options={(names ?? []).map((name) => ({ value: name, label: name }))}
            {...choices}
            placeholder={
              names?.length === 0 ? 'No instance has an interface in this VPC' : 'Select an instance'
            }
            value={instance}
            onChange={onChoose}
          />
        </Field>
      </div>
      {instance === '' ? null : isElsewhere ? (
        <CardEmpty title="No interface in this VPC">
          {instance} is not connected to this VPC, so none of its rules apply.
        </CardEmpty>
      ) : error ? (
        <div className="px-3.5">
          <SectionError failure={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <Table
          inset
          tight
          label={`Rules that apply to ${instance}`}
          columns={columns}
          rows={data?.items}
          rowKey={nameOf}
          skeletonRows={3}
          empty={
            <CardEmpty title="No rule applies">
              Inbound traffic to {instance} is denied, and outbound traffic is allowed.
            </CardEmpty>
          }
        />
      )}
    </Card>
  )
}

const nameOf = ({ rule }: Effective): string => rule.name

const columnsIn = (project: string, vpc: string): Column<Effective>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ rule }) => (
      <PageLink {...firewallRuleLink(project, vpc, rule.name)} over className="name">
        {rule.name}
      </PageLink>
    ),
  },
  { id: 'priority', header: 'Priority', align: 'right', cell: ({ rule }) => rule.priority },
  { id: 'action', header: 'Action', part: 'meta', cell: ({ rule }) => <ActionCell rule={rule} /> },
  {
    id: 'direction',
    header: 'Direction',
    part: 'meta',
    cell: ({ rule }) => directionWords[rule.direction],
  },
  { id: 'filters', header: 'Filters', part: 'meta', cell: ({ rule }) => <FilterTags rule={rule} /> },
  { id: 'why', header: 'Why', part: 'meta', cell: ({ matched }) => <Why matched={matched} /> },
]

/** The target that matched, for each interface that a rule covers. */
function Why({ matched }: Pick<Effective, 'matched'>) {
  return (
    <span className="inline-flex flex-col gap-1 py-1">
      {matched.map(({ interface: one, target }) => (
        <span key={one.id} className="inline-flex items-center gap-1.5">
          <HostTag host={target} /> covers {one.name}
        </span>
      ))}
    </span>
  )
}

/** Instances with an interface in a VPC, from its subnets; undefined names while loading. */
function useInstancesIn(project: string, vpc: string) {
  const subnets = useQuery(allSubnets(project, vpc))
  const interfaces = useQuery(interfacesOf(subnets.data))
  const instances = useQuery(allInstances(project))
  const ids = interfaces.data && new Set(interfaces.data.map(({ instanceId }) => instanceId))
  const names = ids && instances.data?.filter(({ id }) => ids.has(id)).map(({ name }) => name)
  return { names, choices: choicesOf(subnets, interfaces, instances) }
}
