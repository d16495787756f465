import { portRangeProblem } from '@gantry/api/base/port-range.rules'
import { whyNoMoreIn } from '@gantry/api/network/vpc-firewall.rules'
import { Field } from '#/ui/inputs/Field.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { AddButtons } from '#/kit/forms/AddButtons.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { onEnter, useDraft } from './use-draft.ts'

const columns = [
  {
    header: 'Port ranges',
    cell: (range: string) => <span className="font-mono text-[0.8125rem]">{range}</span>,
  },
]

/** Ports of the receiving end. After the first is added, the next is validated while typing. */
export function PortSubform() {
  const { value: list, onChange: setList } = useFormField<string[]>('ports')
  const { ref, ...draft } = useDraft(
    'portDraft',
    (text) => portRangeProblem(text) ?? (list.includes(text.trim()) ? 'Port range already added' : undefined),
  )
  const whyNot = whyNoMoreIn(list, 'filters', 'port filters')
  const add = () => {
    if (whyNot || draft.value === '') return
    if (draft.isValid()) {
      setList([...list, draft.value.trim()])
      draft.onChange('')
    }
    draft.watch(true)
  }
  return (
    <div className="space-y-3">
      <Field
        label="Port filters"
        hint="A single destination port (22) or a range (8000-8100)."
        error={draft.error}
      >
        <TextInput
          mono
          ref={ref}
          value={draft.value}
          onChange={(event) => draft.onChange(event.target.value)}
          onKeyDown={onEnter(add)}
        />
      </Field>
      <AddButtons
        label="Add port filter"
        whyNothing={draft.value === '' ? 'Enter a port or a range first' : undefined}
        whyNot={whyNot}
        onClear={draft.clear}
        onAdd={add}
      />
      <MiniTable
        label="Port filters"
        columns={columns}
        items={list}
        itemKey={(range) => range}
        onRemove={(range) => setList(list.filter((each) => each !== range))}
        removeLabel={(range) => `remove port ${range}`}
      />
    </div>
  )
}
