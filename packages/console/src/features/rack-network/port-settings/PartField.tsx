import { type ReactNode, useState } from 'react'
import { useFormField } from '#/kit/forms/fields.tsx'
import { Button } from '#/ui/Button.tsx'
import { MiniTable } from '#/ui/data/MiniTable.tsx'

interface Props<Item> {
  /** Key in the form's values. */
  name: string
  label: string
  addLabel: string
  columns: readonly { header: string; cell: (item: Item) => ReactNode }[]
  textOf: (item: Item) => string
  empty: string
  whyNot?: string | undefined
  renderDialog: (add: (item: Item) => Promise<Item>, close: () => void) => ReactNode
}

/** A list of one kind of parts, with a dialog that adds one. */
export function PartField<Item>({
  name,
  label,
  addLabel,
  columns,
  textOf,
  empty,
  whyNot,
  renderDialog,
}: Props<Item>) {
  const { value, onChange } = useFormField<Item[]>(name)
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={label} className="space-y-2">
      <h3 className="text-sm font-medium text-strong">{label}</h3>
      <MiniTable
        label={label}
        columns={columns}
        items={value}
        itemKey={textOf}
        onRemove={(item) => onChange(value.filter((each) => each !== item))}
        removeLabel={(item) => `Remove ${textOf(item)}`}
        empty={empty}
      />
      <Button disabledReason={whyNot} onClick={() => setOpen(true)}>
        {addLabel}
      </Button>
      {isOpen &&
        renderDialog(
          async (item) => {
            onChange([...value.filter((each) => textOf(each) !== textOf(item)), item])
            return item
          },
          () => setOpen(false),
        )}
    </section>
  )
}
