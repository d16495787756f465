import { Button } from '#/ui/Button.tsx'

interface Props {
  /** Label of the add button. */
  label: string
  /** Why there is nothing to add or clear yet. */
  whyNothing: string | undefined
  /** Why adding is not possible at all. */
  whyNot?: string | undefined
  onClear: () => void
  onAdd: () => void
}

/** The buttons below fields that add items to a list. */
export function AddButtons({ label, whyNothing, whyNot, onClear, onAdd }: Props) {
  return (
    <div className="flex justify-end gap-2">
      <Button kind="quiet" disabledReason={whyNothing} onClick={onClear}>
        Clear
      </Button>
      <Button disabledReason={whyNothing ?? whyNot} onClick={onAdd}>
        {label}
      </Button>
    </div>
  )
}
