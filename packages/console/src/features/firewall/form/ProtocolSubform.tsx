import { icmpCodeProblem, icmpTypeProblem } from '@gantry/api/rack-network/icmp.rules'
import { whyNoMoreIn } from '@gantry/api/network/vpc-firewall.rules'
import { useState } from 'react'
import { Combobox } from '#/ui/inputs/Combobox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Term } from '#/ui/data/Term.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { AddButtons } from '#/kit/forms/AddButtons.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import type { Protocol } from '../rule.ts'
import { protocolName, protocolWord } from '../words.ts'
import {
  icmpTypeOptions,
  isIcmp,
  isSameProtocol,
  keyOf,
  protocolFrom,
  protocolTypes,
} from './subform-values.ts'
import { onEnter, useDraft } from './use-draft.ts'

/** A protocol; for ICMP also a type with its codes. */
export function ProtocolSubform() {
  const { value: list, onChange: setList } = useFormField<Protocol[]>('protocols')
  // The guard watches the selected protocol only; type and code are parts of it.
  const { ref, ...draft } = useDraft('protocolDraft', () => undefined)
  const selected = protocolTypes.find(({ value }) => value === draft.value)?.value
  const [icmpType, setIcmpType] = useState('')
  const [icmpCode, setIcmpCode] = useState('')
  const [isWatched, setWatched] = useState(false)
  const hasType = isIcmp(selected) && icmpType.trim() !== ''
  const typeProblem = hasType ? icmpTypeProblem(icmpType) : undefined
  const codeProblem = hasType ? icmpCodeProblem(icmpCode) : undefined

  const clear = () => {
    draft.clear()
    setIcmpType('')
    setIcmpCode('')
    setWatched(false)
  }
  const whyNot = whyNoMoreIn(list, 'filters', 'protocol filters')
  const add = () => {
    if (!selected || whyNot) return
    if (typeProblem || codeProblem) return setWatched(true)
    const protocol = protocolFrom(selected, icmpType, icmpCode)
    if (!list.some((each) => isSameProtocol(each, protocol))) setList([...list, protocol])
    clear()
  }
  return (
    <div className="space-y-3">
      <Field label="Protocol filters" error={draft.error}>
        <Select
          ref={ref}
          options={protocolTypes}
          value={selected}
          placeholder="Select a protocol"
          onChange={(type) => {
            clear()
            draft.onChange(type)
          }}
        />
      </Field>
      {isIcmp(selected) && (
        <Field
          label={`${protocolWord({ type: selected })} type`}
          hint="Leave blank to match any type."
          optional
          error={isWatched ? typeProblem : undefined}
        >
          <Combobox
            allowsCustom
            options={icmpTypeOptions[selected]}
            placeholder="All types"
            value={icmpType}
            onChange={(type) => {
              setIcmpType(type)
              if (type === '') setIcmpCode('')
            }}
            onEnter={() => draft.addByKey(add)}
          />
        </Field>
      )}
      {hasType && (
        <Field
          label={`${protocolWord({ type: selected })} code`}
          hint="A code (0) or a range (1–3). Leave blank to match all traffic of the type."
          optional
          error={isWatched ? codeProblem : undefined}
        >
          <TextInput
            mono
            value={icmpCode}
            onChange={(event) => setIcmpCode(event.target.value)}
            onKeyDown={onEnter(() => draft.addByKey(add))}
          />
        </Field>
      )}
      <AddButtons
        label="Add protocol filter"
        whyNothing={selected ? undefined : 'Select a protocol first'}
        whyNot={whyNot}
        onClear={clear}
        onAdd={add}
      />
      <MiniTable
        label="Protocol filters"
        columns={columns}
        items={list}
        itemKey={keyOf}
        onRemove={(protocol) => setList(list.filter((each) => each !== protocol))}
        removeLabel={(protocol) => `Remove ${protocolName(protocol)}`}
      />
    </div>
  )
}

const columns = [
  { header: 'Protocol', cell: (protocol: Protocol) => <Tag>{protocolWord(protocol)}</Tag> },
  {
    header: 'Type',
    cell: (protocol: Protocol) =>
      'value' in protocol && protocol.value ? protocol.value.icmpType : <All of={protocolWord(protocol)} />,
  },
  {
    header: 'Code',
    cell: (protocol: Protocol) => {
      if (!('value' in protocol) || !protocol.value) return <All of={protocolWord(protocol)} />
      const { icmpType, code } = protocol.value
      return code ?? <All of={`${protocolWord(protocol)} type ${icmpType}`} />
    },
  },
]

const All = ({ of }: { of: string }) => <Term tip={`Matches all ${of} traffic`}>—</Term>
