import { Button } from '#/ui/Button.tsx'
import { useFind } from './use-find.ts'

/** Without matches, the user should change the filter, so this is not the empty state with its create button. */
export function NothingMatches({ onClear }: { onClear?: () => void }) {
  const { clear } = useFind()
  return (
    <div className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6">
      <h2 className="text-base">Nothing matches</h2>
      <Button onClick={onClear ?? clear}>Clear filters</Button>
    </div>
  )
}
