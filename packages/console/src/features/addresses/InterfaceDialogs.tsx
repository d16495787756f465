import { transitIpsOf } from '@gantry/api/network/interface-addresses.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOp } from '#/data/use-op.ts'
import { AddButtons } from '#/kit/forms/AddButtons.tsx'
import { DescriptionField, NameField, useFormField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { canonical, interfaceBody, transitIpProblem } from './interface-values.ts'
import { InterfaceForm } from './InterfaceForm.tsx'
import { interfaceById } from './queries.ts'

interface Props {
  id: string
  instance: string
  onClose: () => void
}

/** The editable fields of an interface: its address, VPC and subnet are permanent. */
export function EditInterface({ id, instance, onClose }: Props) {
  const view = interfaceById(id)
  // Forgotten when the form closes: it keeps the values that it opens with.
  const { data: seen } = useSuspenseQuery({ ...view, gcTime: 0 })
  const update = useOp(op.instanceNetworkInterfaceUpdate, { sees: view })
  return (
    <EditForm
      kind="network interface"
      context={`Of instance ${instance}`}
      initial={{
        name: seen.name,
        description: seen.description,
        transitIps: transitIpsOf(seen),
        transitIpDraft: '',
      }}
      check={draftProblem}
      save={({ name, description, transitIps }, send) =>
        update.run({ path: { interface: id }, body: { name, description, transitIps } }, send)
      }
      closeTo={onClose}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
      <TransitIpsField />
    </EditForm>
  )
}

const columns = [
  { header: 'Transit IP', cell: (net: string) => <span className="font-mono text-[0.8125rem]">{net}</span> },
]

const draftProblem = ({ transitIpDraft }: { transitIpDraft: string }) =>
  transitIpDraft === ''
    ? {}
    : { transitIpDraft: 'This is not added yet. Select “Add transit IP” or “Clear” first.' }

/** Networks added one by one. Text that was typed but not added keeps the form from being sent. */
function TransitIpsField() {
  const { value, onChange } = useFormField<string[]>('transitIps')
  const { ref, value: text, onChange: setText, error } = useFormField<string>('transitIpDraft')
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
        error={problem ?? error}
        optional
      >
        <TextInput
          mono
          ref={ref}
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
      <AddButtons label="Add transit IP" whyNothing={whyNothing} onClear={() => type('')} onAdd={add} />
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

interface AddInterfaceProps {
  project: string
  instance: string
  onClose: () => void
}

/** Adds an interface to an existing instance. */
export function AddInterface({ project, instance, onClose }: AddInterfaceProps) {
  const create = useOp(op.instanceNetworkInterfaceCreate)
  return (
    <InterfaceForm
      project={project}
      context={`For instance ${instance}`}
      save={(values, send) => create.run({ query: { project, instance }, body: interfaceBody(values) }, send)}
      saved={({ name }) => successMessage('Network interface', name, 'added')}
      closeTo={onClose}
    />
  )
}
