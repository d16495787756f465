import { whyNoMoreIn } from '@gantry/api/network/vpc-firewall.rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { choicesOf } from '#/kit/list/choices-of.ts'
import { AddButtons } from '#/kit/forms/AddButtons.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { useOffered } from '#/kit/list/use-offered.ts'
import { offeredInstances } from '#/features/instances/queries.ts'
import { allSubnets, offeredVpcs } from '#/features/vpcs/queries.ts'
import { hostText, hostWords } from '../words.ts'
import type { Host } from '../rule.ts'
import { hostOf, hostProblem, type HostType, hostTypes, isSameHost } from './subform-values.ts'
import { onEnter, useDraft } from './use-draft.ts'

const kinds = {
  targets: {
    draft: 'targetDraft',
    type: 'Target type',
    noun: 'Target name',
    add: 'Add target',
    table: 'Targets',
    limit: 'targets',
  },
  hosts: {
    draft: 'hostDraft',
    type: 'Host type',
    noun: 'Host name',
    add: 'Add host filter',
    table: 'Host filters',
    limit: 'filters',
  },
} as const

interface Props {
  name: keyof typeof kinds
  project: string
  vpc: string
}

const columns = [
  { header: 'Type', cell: ({ type }: Host) => <Tag>{hostWords[type]}</Tag> },
  {
    header: 'Value',
    cell: ({ value }: Host) => <span className="font-mono text-[0.8125rem]">{value}</span>,
  },
]

/** A rule's targets or remote hosts, added one by one by name or address. */
export function HostSubform({ name, project, vpc }: Props) {
  const words = kinds[name]
  const { value: list, onChange: setList } = useFormField<Host[]>(name)
  const [type, setType] = useState<HostType>('vpc')
  const { ref, ...draft } = useDraft(words.draft, (value) => hostProblem(type, value, words.noun))
  const { known, choices } = useNames(type, project, vpc)
  const isName = type !== 'ip' && type !== 'ip_net'
  const { valueLabel = '' } = hostTypes.find(({ value }) => value === type) ?? {}

  const whyNot = whyNoMoreIn(list, words.limit, words.table.toLowerCase())
  const add = () => {
    if (whyNot || !draft.isValid()) return
    const host = hostOf(type, draft.value)
    if (!list.some((each) => isSameHost(each, host))) setList([...list, host])
    setType('vpc')
    draft.clear()
  }
  return (
    <div className="space-y-3">
      <Field label={words.type}>
        <Select
          options={hostTypes}
          value={type}
          onChange={(next) => {
            setType(next)
            draft.clear()
          }}
        />
      </Field>
      <Field label={valueLabel} error={draft.error}>
        {isName ? (
          <Combobox
            allowsCustom
            {...choices}
            ref={ref}
            options={known
              .filter((value) => !list.some((each) => isSameHost(each, { type, value })))
              .map((value) => ({ value, label: value }))}
            value={draft.value}
            onChange={draft.onChange}
            onEnter={() => draft.addByKey(add)}
          />
        ) : (
          <TextInput
            mono
            ref={ref}
            value={draft.value}
            onChange={(event) => draft.onChange(event.target.value)}
            onKeyDown={onEnter(() => draft.addByKey(add))}
          />
        )}
      </Field>
      <AddButtons
        label={words.add}
        whyNothing={draft.value === '' ? `Enter ${article(valueLabel)} first` : undefined}
        whyNot={whyNot}
        onClear={draft.clear}
        onAdd={add}
      />
      <MiniTable
        label={words.table}
        columns={columns}
        items={list}
        itemKey={hostText}
        onRemove={(host) => setList(list.filter((each) => each !== host))}
      />
    </div>
  )
}

const article = (label: string): string =>
  `${/^(IP|Inst)/.test(label) ? 'an' : 'a'} ${/^(VPC|IP)/.test(label) ? label : label.toLowerCase()}`

/** The names to offer and their loading state. Other names can be typed. */
function useNames(type: HostType, project: string, vpc: string) {
  const vpcs = useOffered(offeredVpcs(project), type === 'vpc')
  const subnets = useQuery({ ...allSubnets(project, vpc), enabled: type === 'subnet' })
  const instances = useOffered(offeredInstances(project), type === 'instance')
  const objects = { vpc: vpcs.data, subnet: subnets.data, instance: instances.data, ip: [], ip_net: [] }[type]
  return { known: (objects ?? []).map(({ name }) => name), choices: choicesOf(vpcs, subnets, instances) }
}
