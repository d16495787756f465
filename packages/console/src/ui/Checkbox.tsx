import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'

import { classes } from './classes.ts'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** Some, but not all, of what it stands for. */
  indeterminate?: boolean
  children?: ReactNode
}

const boxClass =
  'peer size-4 shrink-0 appearance-none rounded-tag border border-control-line bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:border-line disabled:bg-sunken forced:appearance-auto'

/** A native checkbox under a drawn box, with its label if it has one. */
export function Checkbox({ indeterminate = false, children, className, ref: given, ...props }: Props) {
  const own = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (own.current) own.current.indeterminate = indeterminate
  }, [indeterminate])

  const box = (
    <span
      className={classes(
        'relative inline-grid size-4 shrink-0 place-items-center align-middle',
        'before:absolute before:-inset-1 coarse:before:-inset-3.5',
      )}
    >
      <input
        {...props}
        ref={(element) => {
          own.current = element
          if (typeof given === 'function') given(element)
          else if (given) given.current = element
        }}
        type="checkbox"
        className={classes(boxClass, 'relative', className)}
      />
      <svg
        viewBox="0 0 12 12"
        aria-hidden
        className="pointer-events-none absolute size-3 fill-none stroke-on-accent stroke-[1.75] opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-0 forced:hidden"
      >
        <path d="M2 6.3 4.8 9 10 3.4" />
      </svg>
      <svg
        viewBox="0 0 12 12"
        aria-hidden
        className="pointer-events-none absolute size-3 fill-none stroke-on-accent stroke-[1.75] opacity-0 peer-indeterminate:opacity-100 forced:hidden"
      >
        <path d="M2.5 6h7" />
      </svg>
    </span>
  )
  if (children === undefined) return box
  return (
    <label className="flex min-h-7 w-fit items-center gap-2 coarse:min-h-11">
      {box}
      <span>{children}</span>
    </label>
  )
}
