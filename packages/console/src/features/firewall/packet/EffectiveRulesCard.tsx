import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { opQuery } from '#/data/queries.ts'
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
import { useOffered } from '#/kit/list/use-offered.ts'
import { offeredInstances } from '#/features/instances/queries.ts'

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
  const { names, choices, isElsewhere } = useInstancesIn(project, vpc, instance)
  const columns = useMemo(() => columnsIn(project, vpc), [project, vpc])
  const { data, error, refetch } = useQuery({
    ...effectiveRules(project, instance),
    enabled: instance !== '',
  })
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
          rowKey={ruleName}
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

const ruleName = ({ rule }: Effective): string => rule.name
const nameOf = ({ name }: { name: string }): string => name

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

/** The instances with an interface in a VPC, and whether the selected one has none, once that is known. */
function useInstancesIn(project: string, vpc: string, instance: string) {
  const offered = useOffered(offeredInstances(project, `vpc:${vpc}`))
  const { data: found } = useQuery({
    ...opQuery(op.instanceSortedList, {
      path: {},
      query: { project, filter: `vpc:${vpc} name:${instance}`, limit: 1 },
    }),
    enabled: instance !== '',
  })
  return {
    names: offered.data?.map(nameOf),
    choices: choicesOf(offered),
    isElsewhere: found?.items.length === 0,
  }
}
