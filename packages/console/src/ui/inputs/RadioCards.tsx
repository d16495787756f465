import { useId, type ReactNode } from 'react'

import { classes } from '../classes.ts'
import { useFieldProps } from './Field.tsx'
import { radioClass } from './Radio.tsx'

type RadioCard<T extends string> = {
  value: T
  /** First and largest: `4`. */
  figure: ReactNode
  unit?: ReactNode
  detail?: ReactNode
  /** The accessible name, if figure, unit and detail do not read well. */
  name?: string
  disabled?: boolean
}

type Props<T extends string> = {
  label?: string
  options: readonly RadioCard<T>[]
  value: T | undefined
  onChange: (value: T) => void
  className?: string
}

/** Radio options with a figure. The whole card is clickable; arrows move the selection. */
export function RadioCards<T extends string>({ label, options, value, onChange, className }: Props<T>) {
  const name = useId()
  const field = useFieldProps({ 'aria-label': label })
  return (
    <div
      role="radiogroup"
      {...field}
      className={classes('grid gap-2', className ?? 'grid-cols-[repeat(auto-fill,minmax(8rem,1fr))]')}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative rounded-control border border-control-line bg-raised px-3 pt-2 pb-2.25 has-checked:border-accent-edge has-checked:bg-selected has-checked:shadow-[inset_0_0_0_1px_var(--accent-edge)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:border-line has-disabled:bg-sunken has-disabled:text-disabled"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            aria-label={option.name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className={classes(radioClass, 'absolute top-2.75 right-2.5 outline-none!')}
          />
          <span className="block pr-6 text-md leading-5.5 font-semibold text-strong">
            {option.figure}{' '}
            {option.unit && <span className="text-sm font-normal text-muted">{option.unit}</span>}
          </span>
          {option.detail && <span className="block text-sm text-muted">{option.detail}</span>}
        </label>
      ))}
    </div>
  )
}
