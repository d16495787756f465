import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'

import { classes } from '../classes.ts'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** Some, but not all, of its items are checked. */
  indeterminate?: boolean
  children?: ReactNode
}

/** One element, because lists have hundreds: the glyph and the larger hit area are pseudo-elements. */
const boxClass = classes(
  'checkbox relative inline-grid size-4 shrink-0 appearance-none place-items-center rounded-tag border align-middle',
  'border-control-line bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent',
  'indeterminate:bg-accent disabled:border-line disabled:bg-sunken forced:appearance-auto',
  'before:absolute before:-inset-1.25 coarse:before:-inset-3.75',
)

/** A native checkbox with a custom look and an optional label. */
export function Checkbox({ indeterminate = false, children, className, ref: given, ...props }: Props) {
  const own = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (own.current) own.current.indeterminate = indeterminate
  }, [indeterminate])

  const box = (
    <input
      {...props}
      ref={(element) => {
        own.current = element
        if (typeof given === 'function') given(element)
        else if (given) given.current = element
      }}
      type="checkbox"
      className={classes(boxClass, className)}
    />
  )
  if (children === undefined) return box
  return (
    <label className="flex min-h-7 w-fit items-center gap-2 coarse:min-h-11">
      {box}
      <span>{children}</span>
    </label>
  )
}
