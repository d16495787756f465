import CircleAlert from 'lucide-react/icons/circle-alert'
import { createContext, useContext, useId, useMemo, type ReactNode } from 'react'

import { classes } from '../classes.ts'

type Wiring = {
  id: string
  labelId: string
  describedBy: string | undefined
  invalid: boolean
  group: boolean
}

const FieldContext = createContext<Wiring | undefined>(undefined)

type FieldProps = {
  label: ReactNode
  /** Between label and box. */
  hint?: ReactNode
  error?: ReactNode
  optional?: boolean
  /** Several controls share the label, as with radios: the label then names the group. */
  group?: boolean
  /** Visually hides the label. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** Label, hint and error around a control, which finds their ids with `useFieldProps`. */
export function Field({
  label,
  hint,
  error,
  optional,
  group = false,
  hideLabel,
  className,
  children,
}: FieldProps) {
  const id = useId()
  const wiring = useMemo<Wiring>(
    () => ({
      id,
      labelId: `${id}-label`,
      describedBy: classes(Boolean(hint) && `${id}-hint`, Boolean(error) && `${id}-error`) || undefined,
      invalid: Boolean(error),
      group,
    }),
    [id, hint, error, group],
  )
  const labelClass = hideLabel ? 'sr-only' : 'mb-1 block font-medium text-strong'
  const words = (
    <>
      {label}
      {optional && (
        <span aria-hidden className="text-sm font-normal text-muted">
          {' '}
          (optional)
        </span>
      )}
    </>
  )
  return (
    <FieldContext value={wiring}>
      <div className={classes('max-w-form min-w-0', className)}>
        {group ? (
          <div id={wiring.labelId} className={labelClass}>
            {words}
          </div>
        ) : (
          <label id={wiring.labelId} htmlFor={id} className={labelClass}>
            {words}
          </label>
        )}
        {hint && (
          <div id={`${id}-hint`} className="-mt-0.5 mb-1.5 text-sm text-muted">
            {hint}
          </div>
        )}
        {children}
        {error && (
          <div
            id={`${id}-error`}
            role="alert"
            className="mt-1.5 flex items-start gap-1.5 text-sm text-fail-text"
          >
            <CircleAlert aria-hidden className="mt-[0.1875rem] size-3.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">{error}</span>
          </div>
        )}
      </div>
    </FieldContext>
  )
}

type Aria = {
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling'
}

/** The ids and states that connect a control to its field; the control's own props win. */
export function useFieldProps<P extends Aria>(own: P): P {
  const field = useContext(FieldContext)
  if (!field) return own
  const named = own['aria-label'] !== undefined || own['aria-labelledby'] !== undefined
  return {
    ...(field.group ? !named && { 'aria-labelledby': field.labelId } : { id: field.id }),
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    ...own,
  }
}

/** The box of every text field. */
export const inputClass =
  'block w-full min-w-0 rounded-control border border-control-line bg-raised px-2.5 text-strong h-control-lg ' +
  // Within: parts of a date field take the focus from it.
  'focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus ' +
  'aria-invalid:border-fail-fill aria-invalid:shadow-[inset_0_0_0_1px_var(--fail-fill)] aria-invalid:focus-within:outline-offset-2 ' +
  '[&[readonly]]:border-line [&[readonly]]:bg-sunken [&[readonly]]:text-muted ' +
  'disabled:border-line disabled:bg-sunken disabled:text-disabled'
