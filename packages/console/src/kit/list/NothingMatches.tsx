import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { passToFilter } from './ClearFilters.tsx'
import { useFind } from './use-find.ts'

const nothing = 'Nothing matches'

/** Without matches, the user should change the filter, so this is not the empty state with its create button. */
export function NothingMatches({ onClear, children }: { onClear?: () => void; children?: ReactNode }) {
  const { clear } = useFind()
  return (
    <div
      ref={passToFilter}
      className="grid justify-items-start gap-3 rounded-block border border-dashed border-control-line p-6"
    >
      <h2 className="text-base">{nothing}</h2>
      <Announcement text={nothing} />
      {children}
      <Button onClick={onClear ?? clear}>Clear filters</Button>
    </div>
  )
}

const settleMs = 150

/** A live region announces only changes made after it has been in the document for a moment. */
function Announcement({ text }: { text: string }) {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setSettled, settleMs, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="sr-only">
      {isSettled && text}
    </div>
  )
}
