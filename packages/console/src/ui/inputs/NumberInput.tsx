import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useState, type ReactNode, type Ref } from 'react'

import { classes } from '../classes.ts'
import { inputClass, useFieldProps } from './Field.tsx'
import { ownNumbers } from './locale-number.ts'
import { stepped } from './number-input.ts'

type Props = {
  /** Undefined while the field is empty or holds no number. */
  value: number | undefined
  /** `text` is what the field shows, also when it is no number. */
  onChange: (value: number | undefined, text: string) => void
  onBlur?: () => void
  min?: number
  max?: number
  step?: number
  /** Whether fractions make sense: decides which keys a phone offers. */
  decimals?: boolean
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

/**
 * A typed number with Up and Down, two buttons, and the unit in a cell of its own. It takes any text and keeps it: what
 * is no number in the user's locale, or out of range, is for the field to refuse.
 */
export function NumberInput(props: Props) {
  const {
    value,
    onChange,
    onBlur,
    min = 0,
    max,
    step = 1,
    decimals = step % 1 !== 0,
    unit,
    disabled,
    readOnly,
    className,
    ...rest
  } = props
  const field = useFieldProps(rest)
  const { read, write } = ownNumbers()
  const textOf = (number: number | undefined) => (number === undefined ? '' : write(number))
  // Keeps the typed text while it means the value, so that `1.` does not lose its point.
  const [typed, setTyped] = useState('')
  const shown = read(typed) === value ? typed : textOf(value)
  const isFixed = disabled || readOnly

  const change = (text: string) => {
    setTyped(text)
    onChange(read(text), text)
  }
  const move = (by: number) => change(textOf(stepped(value, by * step, min, max)))

  return (
    <div className={classes('flex max-w-56', className)}>
      <input
        type="text"
        // The numeric keys of some phones have no minus.
        inputMode={min < 0 ? 'text' : decimals ? 'decimal' : 'numeric'}
        autoComplete="off"
        role="spinbutton"
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={value}
        {...field}
        disabled={disabled}
        readOnly={readOnly}
        value={shown}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (isFixed || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          move(event.key === 'ArrowUp' ? 1 : -1)
        }}
        onBlur={() => {
          // Shows how the text was read: `1.024` is a thousand in some locales and one in others.
          if (value !== undefined) setTyped(write(value))
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
