import { useState } from 'react'
import { Field } from '#/ui/Field.tsx'
import { MiniTable } from '#/ui/MiniTable.tsx'
import { TextInput } from '#/ui/TextInput.tsx'
import { AddButtons } from '#/features/common/forms/AddButtons.tsx'
import { useFormField } from '#/features/common/forms/fields.tsx'
import { canonical, transitIpProblem } from './transit-ips.ts'

const columns = [
  { header: 'Transit IP', cell: (net: string) => <span className="font-mono text-[0.8125rem]">{net}</span> },
]

/** Networks added one by one. Text that was typed but not added is not part of the form. */
export function TransitIpsField() {
  const { value, onChange } = useFormField<string[]>('transitIps')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const type = (next: string) => {
    setText(next)
    setProblem(undefined)
  }
  const add = () => {
    const found = transitIpProblem(text, value)
    setProblem(found)
    if (found) return
    onChange([...value, canonical(text)])
    type('')
  }
  const whyNothing = text === '' ? 'Enter an IP network first' : undefined
  return (
    <div className="space-y-3">
      <Field
        label="Transit IPs"
        hint="Additional networks that the interface may send and receive traffic for, such as 192.168.0.0/16."
        error={problem}
        optional
      >
        <TextInput
          mono
          placeholder="Enter an IP network"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Enter adds to the list; it must not submit the surrounding form.
            event.preventDefault()
            if (text !== '') add()
          }}
        />
      </Field>
      <AddButtons label="Add Transit IP" whyNothing={whyNothing} onClear={() => type('')} onAdd={add} />
      <MiniTable
        label="Transit IPs"
        columns={columns}
        items={value}
        itemKey={(net) => net}
        onRemove={(net) => onChange(value.filter((each) => each !== net))}
        removeLabel={(net) => `remove IP ${net}`}
      />
    </div>
  )
}
