import { Button } from '#/ui/Button.tsx'
import { passFocusTo, surroundings } from '#/ui/overlays/focus.ts'

/** For what goes when the filters are cleared: the first of them then gets the focus. */
export const passToFilter = passFocusTo(
  (leaving) => document.querySelector<HTMLElement>('main search :is(input, select)') ?? surroundings(leaving),
)

/** Belongs into a `search` element. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button ref={passToFilter} kind="quiet" onClick={onClear}>
      Clear filters
    </Button>
  )
}
