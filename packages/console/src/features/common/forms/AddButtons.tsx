import { Button } from '#/ui/Button.tsx'

interface Props {
  /** Of the button that adds. */
  label: string
  /** Why there is nothing to add or to clear yet. */
  whyNothing: string | undefined
  /** Why nothing can be added at all. */
  whyNot?: string | undefined
  onClear: () => void
  onAdd: () => void
}

/** Below the fields of a part that collects things one by one. */
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
