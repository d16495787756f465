import type { ReactNode } from 'react'
import type { SavedRules } from './save.ts'

/** A success message that includes merged and dropped changes. */
export function savedMessage(success: ReactNode, { merged, dropped, isChanged }: SavedRules): ReactNode {
  return (
    <>
      {isChanged && <span className="block">{success}</span>}
      {merged.length > 0 && (
        <span className="block">Changes by someone else were kept: {listed(merged)}</span>
      )}
      {dropped.length > 0 && (
        <span className="block">
          Left as changed by someone else: {listed(dropped.map(({ name }) => name))}
        </span>
      )}
      {!isChanged && dropped.length === 0 && (
        <span className="block">Someone else has already done this</span>
      )}
    </>
  )
}

const shown = 3

function listed(names: readonly string[]): string {
  const rest = names.length - shown
  return rest > 0 ? `${names.slice(0, shown).join(', ')} and ${rest} more` : names.join(', ')
}
