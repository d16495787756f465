import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'

import { IconButton } from '../Button.tsx'
import { FOCUSABLE, passFocusTo } from '../overlays/focus.ts'

type Props<T> = {
  label: string
  columns: readonly { header: string; cell: (item: T) => ReactNode }[]
  items: readonly T[]
  itemKey: (item: T) => string
  onRemove?: (item: T) => void
  /** Label of an item's remove button. */
  removeLabel?: (item: T, index: number) => string
  /** Shown in a box when empty; without it, an empty table disappears. */
  empty?: ReactNode
}

/** The items that a form has collected. */
export function MiniTable<T>({
  label,
  columns,
  items,
  itemKey,
  onRemove,
  removeLabel = numbered,
  empty,
}: Props<T>) {
  if (items.length === 0)
    return empty ? (
      <div className="rounded-control border border-dashed border-control-line px-3 py-4 text-center text-sm text-muted">
        {empty}
      </div>
    ) : null
  const cell = 'min-w-12 px-2.5 py-1.5 text-left max-sm:px-1.5 max-sm:[&_time]:whitespace-normal'
  return (
    <div className="overflow-x-auto rounded-control border border-line">
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead className="border-b border-line bg-sunken text-xs text-muted">
          <tr>
            {columns.map(({ header }) => (
              <th key={header} scope="col" className={`${cell} font-medium wrap-break-word`}>
                {header}
              </th>
            ))}
            {onRemove && (
              <th scope="col">
                <span className="sr-only">Remove</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={itemKey(item)} ref={moveFocus} className="border-b border-faint-line last:border-0">
              {columns.map((column) => (
                <td key={column.header} className={`${cell} wrap-anywhere`}>
                  {column.cell(item)}
                </td>
              ))}
              {onRemove && (
                <td className="w-9 py-0.5 pr-1 text-right">
                  <IconButton
                    kind="quiet"
                    label={removeLabel(item, index)}
                    className="size-7! coarse:size-11!"
                    onClick={() => onRemove(item)}
                  >
                    <X aria-hidden className="size-4" />
                  </IconButton>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The next row's remove button or the previous one's; after the last row, the control that adds the next. */
const moveFocus = passFocusTo((row) => {
  const other = row.nextElementSibling ?? row.previousElementSibling
  if (other) return other.querySelector<HTMLElement>('td:last-child button')
  const box = row.closest('div')
  const around = box?.parentElement?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? []
  return [...around].find((element) => !box?.contains(element))
})

const numbered = (_: unknown, index: number) => `Remove item ${index + 1}`
