import Check from 'lucide-react/icons/check'
import type { Ref } from 'react'

import { classes } from '../classes.ts'
import type { ComboboxOption } from './combobox.ts'

type Props = {
  id: string
  options: readonly ComboboxOption[]
  /** How many options are not shown. */
  more: number
  /** Whether others match, of which the number is unknown. */
  hasMore?: boolean | undefined
  marked: ComboboxOption | undefined
  value: string
  loading: boolean | undefined
  failure: string | undefined
  onRetry: (() => void) | undefined
  onChoose: (option: ComboboxOption) => void
  ref: Ref<HTMLDivElement>
}

/** In the top layer, but inside the field's dialog, because everything outside that is inert. */
export function ComboboxList({ id, options, more, hasMore, marked, value, loading, ref, ...props }: Props) {
  const { failure, onRetry, onChoose } = props
  return (
    <div
      ref={ref}
      popover="manual"
      role="presentation"
      className="tethered max-h-[min(20rem,60dvh)] w-[anchor-size(width)] min-w-48 flex-col rounded-block bg-float p-1 text-sm text-strong shadow-menu open:flex forced:border"
      // Keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {/* Scrolls itself: a box around it would have to take the focus. */}
      <div id={id} role="listbox" aria-label="Options" className="min-h-0 overflow-y-auto overscroll-contain">
        {options.length === 0 && !failure && (
          // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the field keeps the focus.
          <div role="option" aria-selected={false} aria-disabled className="px-2.5 py-1.5 text-muted">
            {loading ? 'Loading' : 'No items match'}
          </div>
        )}
        {options.map((option) => {
          const isMarked = option === marked
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={option.value}
              id={`${id}-${option.value}`}
              data-marked={isMarked || undefined}
              ref={isMarked ? showItem : undefined}
              role="option"
              aria-selected={option.value === value}
              aria-disabled={option.disabled || undefined}
              className={classes(
                'flex min-h-8 items-center gap-2.5 rounded-[4px] px-2.5 py-1 hover:bg-hover coarse:min-h-11',
                isMarked && 'bg-selected! forced:outline-2',
                option.disabled && 'text-disabled',
              )}
              onClick={() => onChoose(option)}
            >
              <span className="min-w-0 grow wrap-anywhere">
                {option.label}
                {option.detail && <span className="block text-xs text-muted">{option.detail}</span>}
              </span>
              {option.value === value && <Check aria-hidden className="size-4 shrink-0 text-muted" />}
            </div>
          )
        })}
      </div>
      {failure && (
        <div role="alert" className="flex items-baseline gap-3 px-2.5 py-1.5">
          <span className="min-w-0 grow wrap-anywhere text-fail-text">{failure}</span>
          <button type="button" tabIndex={-1} className="shrink-0 underline" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
      {(more > 0 || hasMore) && (
        <div className="px-2.5 py-1.5 text-xs text-muted">
          {hasMore
            ? 'There are more. Type to find them.'
            : `${more.toLocaleString()} more. Type to find them.`}
        </div>
      )}
    </div>
  )
}

/** A ref callback for the active option. */
const showItem = (item: Element | null) => item?.scrollIntoView({ block: 'nearest' })
