// @chunk form-parts: of forms and of few pages, neither of which shall load the other.
import type { ReactNode } from 'react'

import { rove } from '../overlays/rove.ts'

type Props<T extends string> = {
  label: string
  options: readonly { value: T; label: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** Selects one of a few views. */
export function Segmented<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <div
      role="radiogroup"
      aria-label={label}
      tabIndex={-1}
      className="inline-flex max-w-full flex-wrap gap-0.5 rounded-[6px] border border-line bg-sunken p-0.5"
      onKeyDown={(event) => rove(event, 'radio')?.click()}
    >
      {options.map((option) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          className="flex h-6.5 items-center rounded-[4px] px-3 text-sm text-muted hover:text-strong aria-checked:bg-raised aria-checked:font-medium aria-checked:text-strong aria-checked:shadow-[0_0_0_1px_var(--line-control)] coarse:h-11 forced:aria-checked:border"
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
