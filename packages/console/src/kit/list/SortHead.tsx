import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { type ReactNode, useSyncExternalStore } from 'react'
import { type Column, labelOf } from '#/ui/data/column.ts'
import { type Sort, sortedBy, type SortKey } from './find.ts'

/** A column with a sort button in its head. */
export function sortable<Item>(
  column: Column<Item>,
  key: SortKey,
  now: Sort,
  onSort: (sort: Sort) => void,
): Column<Item> {
  const label = labelOf(column)
  const sorted = now.key !== key ? 'none' : now.isDescending ? 'descending' : 'ascending'
  return {
    ...column,
    ...(label !== undefined && { label }),
    sorted,
    header: (
      <SortHead sorted={sorted} onPress={() => onSort(sortedBy(now, key))}>
        {column.header}
      </SortHead>
    ),
  }
}

interface Props {
  sorted: 'none' | 'ascending' | 'descending'
  onPress: () => void
  children: ReactNode
}

function SortHead({ sorted, onPress, children }: Props) {
  const hasHeads = useHasHeads()
  if (!hasHeads) return children
  const Arrow = sorted === 'descending' ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      className="wash relative -mx-1.5 inline-flex items-center gap-1 rounded-tag px-1.5 after:absolute after:inset-x-0 after:-inset-y-1 coarse:after:-inset-y-3.5"
      onClick={onPress}
    >
      {children}
      {sorted !== 'none' && <Arrow aria-hidden className="size-3.5" />}
    </button>
  )
}

/**
 * From this width up, a table looks like a table. Below it, rows are cards, and heads are for screen readers only
 * (parts.css).
 */
const wide = '(width >= 48rem)'

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(wide)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether column heads are visible: invisible controls must not take the focus. */
export const useHasHeads = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(wide).matches)
