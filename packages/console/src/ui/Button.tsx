import { type ComponentProps, type ReactNode, useId } from 'react'

import { classes } from './classes.ts'
import { Arc, useMinimumTime } from './feedback/Spinner.tsx'
import { Bubble } from './overlays/Tooltip.tsx'

type ButtonKind = 'primary' | 'default' | 'quiet' | 'danger'
type Shape = { kind?: ButtonKind; size?: 'control' | 'lg'; icon?: boolean; block?: boolean }

const base =
  'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border leading-none whitespace-nowrap select-none transition-colors duration-(--time-press)'
const disabled =
  'aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-disabled aria-disabled:cursor-not-allowed'
const quietDisabled =
  'aria-disabled:bg-transparent aria-disabled:text-disabled aria-disabled:cursor-not-allowed'

const kinds: Record<ButtonKind, string> = {
  primary: `border-accent bg-accent font-semibold text-on-accent hover:border-accent-hover hover:bg-accent-hover active:border-accent-active active:bg-accent-active ${disabled}`,
  default: `border-control-line bg-raised font-medium text-strong hover:bg-hover active:bg-selected aria-expanded:bg-hover ${disabled}`,
  quiet: `border-transparent font-medium text-text hover:bg-hover active:bg-selected aria-expanded:bg-hover ${quietDisabled}`,
  danger: `border-danger bg-danger font-semibold text-on-danger hover:border-danger-hover hover:bg-danger-hover ${disabled}`,
}

/** Button styles, for links that look like buttons. */
export function buttonClass({ kind = 'default', size = 'control', icon, block }: Shape = {}) {
  const height = size === 'lg' ? 'h-control-lg text-base' : 'h-control text-sm'
  const square = size === 'lg' ? 'w-control-lg' : 'w-control'
  const width = icon ? square : size === 'lg' ? 'px-4' : 'px-3'
  return classes(base, kinds[kind], height, width, block && 'w-full')
}

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  Omit<Shape, 'icon'> & {
    /** Shows a spinner and ignores clicks. */
    pending?: boolean
    /** The label's -ing form. The button is as wide as the longer label. */
    pendingLabel?: string
    disabled?: boolean
    /** Why it is disabled, shown on hover and focus. */
    disabledReason?: ReactNode
  }

export function Button({ kind, size, block, className, children, pendingLabel, ...props }: ButtonProps) {
  return (
    <Pressable {...props} className={classes(buttonClass({ kind, size, block }), className)}>
      <Label pending={props.pending} pendingLabel={pendingLabel}>
        {children}
      </Label>
    </Pressable>
  )
}

type IconButtonProps = Omit<ButtonProps, 'pendingLabel' | 'block' | 'aria-label'> & {
  /** The accessible name, also shown as a tooltip. */
  label: string
  /** False if a tooltip would be in the way. */
  tip?: boolean
}

export function IconButton({
  label,
  kind,
  size,
  className,
  children,
  tip = true,
  ...props
}: IconButtonProps) {
  return (
    <Pressable
      {...props}
      aria-label={label}
      tip={tip ? label : undefined}
      className={classes(buttonClass({ kind, size, icon: true }), className)}
    >
      {props.pending ? <Arc className="size-4" /> : children}
    </Pressable>
  )
}

type PressableProps = Omit<ButtonProps, 'kind' | 'size' | 'block' | 'pendingLabel'> & {
  /** A tooltip that describes nothing, while there is no reason to show. */
  tip?: string
}

/**
 * A button that stays focusable while disabled, so that its reason can be read. Ignores clicks and Enter in a field
 * of its form, which the browser turns into a click on the submit button.
 */
export function Pressable({
  pending,
  disabled,
  disabledReason,
  tip,
  onClick,
  type = 'button',
  'aria-describedby': describedBy,
  'aria-busy': busy,
  ...props
}: PressableProps) {
  const tipId = useId()
  const isOff = Boolean(disabled || disabledReason)
  const hasReason = Boolean(disabledReason)
  const shown = disabledReason || tip
  return (
    <>
      {shown && <Bubble id={tipId} content={shown} describes={hasReason} />}
      <button
        {...props}
        type={type}
        aria-describedby={classes(describedBy, hasReason && tipId) || undefined}
        aria-disabled={isOff || undefined}
        aria-busy={pending || busy || undefined}
        onClick={(event) => {
          if (!isOff && !pending) return onClick?.(event)
          event.preventDefault()
          event.stopPropagation()
        }}
      />
    </>
  )
}

function Label({
  pending,
  pendingLabel,
  children,
}: Pick<ButtonProps, 'pending' | 'pendingLabel' | 'children'>) {
  // Only visual: the button accepts clicks as soon as nothing is pending.
  const isTurning = useMinimumTime(Boolean(pending))
  if (!pendingLabel && !isTurning) return children
  const cell = 'col-start-1 row-start-1 inline-flex items-center justify-center gap-1.5'
  return (
    <span className="inline-grid">
      {/* Without an -ing form, the label fades instead of hiding, because the button must keep a name. */}
      <span className={classes(cell, isTurning && (pendingLabel ? 'invisible' : 'opacity-0'))}>
        {children}
      </span>
      <span className={classes(cell, !isTurning && 'invisible')}>
        <Arc className="size-4" />
        {pendingLabel}
      </span>
    </span>
  )
}
