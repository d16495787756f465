import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useState, type ReactNode, type Ref } from 'react'

import { classes } from './classes.ts'
import { inputClass, useFieldProps } from './Field.tsx'
import { clamp, parseNumber, stepped, stripTyped } from './number-input.ts'

type Props = {
  /** Undefined while the field is empty. */
  value: number | undefined
  onChange: (value: number | undefined) => void
  onBlur?: () => void
  min?: number
  max?: number
  step?: number
  unit?: ReactNode
  disabled?: boolean
  readOnly?: boolean
  name?: string
  'aria-label'?: string
  ref?: Ref<HTMLInputElement>
  className?: string
}

const stepClass =
  'grid w-8 shrink-0 place-items-center border border-l-0 border-control-line bg-raised text-muted hover:bg-hover hover:text-strong disabled:border-line disabled:bg-sunken disabled:text-disabled coarse:w-11'

/** A typed number with Up and Down, two buttons, and the unit in a cell of its own. Blur clamps it. */
export function NumberInput(props: Props) {
  const {
    value,
    onChange,
    onBlur,
    min = 0,
    max,
    step = 1,
    unit,
    disabled,
    readOnly,
    className,
    ...rest
  } = props
  const field = useFieldProps(rest)
  // Keeps the typed text while it means the value, so that `1.` does not lose its point.
  const [typed, setTyped] = useState('')
  const shown = parseNumber(typed) === value ? typed : value === undefined ? '' : String(value)
  const isFixed = disabled || readOnly

  const change = (next: number | undefined) => {
    setTyped(next === undefined ? '' : String(next))
    onChange(next)
  }
  const move = (by: number) => change(stepped(value, by * step, min, max))

  return (
    <div className={classes('flex max-w-56', className)}>
      <input
        type="text"
        inputMode={step % 1 === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        role="spinbutton"
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={value}
        {...field}
        disabled={disabled}
        readOnly={readOnly}
        value={shown}
        onChange={(event) => {
          const text = stripTyped(event.target.value, min < 0)
          setTyped(text)
          onChange(parseNumber(text))
        }}
        onKeyDown={(event) => {
          if (isFixed || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          move(event.key === 'ArrowUp' ? 1 : -1)
        }}
        onBlur={() => {
          if (value !== undefined && !isFixed) change(clamp(value, min, max))
          onBlur?.()
        }}
        className={classes(inputClass, 'relative rounded-r-none tabular-nums focus:z-1')}
      />
      {unit && (
        <span className="grid shrink-0 place-items-center border border-l-0 border-control-line bg-sunken px-2.5 text-sm text-muted last:rounded-r-control">
          {unit}
        </span>
      )}
      {!readOnly && (
        <>
          {/* Outside the tab order: Up and Down do the same in the field. */}
          <button
            type="button"
            tabIndex={-1}
            aria-label="Decrease"
            className={stepClass}
            disabled={disabled || (value !== undefined && value <= min)}
            onClick={() => move(-1)}
          >
            <Minus aria-hidden className="size-3.5" />
          </button>
          <button
            type="button"
            tabIndex={-1}
            aria-label="Increase"
            className={classes(stepClass, 'rounded-r-control')}
            disabled={disabled || (value !== undefined && max !== undefined && value >= max)}
            onClick={() => move(1)}
          >
            <Plus aria-hidden className="size-3.5" />
          </button>
        </>
      )}
    </div>
  )
}
