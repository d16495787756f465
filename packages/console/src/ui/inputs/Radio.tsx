import { useId, type ComponentProps, type ReactNode } from 'react'

import { classes } from '../classes.ts'
import { useFieldProps } from './Field.tsx'

export const radioClass =
  'size-4 shrink-0 appearance-none rounded-full border border-control-line bg-raised checked:border-[5px] checked:border-accent disabled:border-line disabled:bg-sunken forced:appearance-auto'

type RadioProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & { children: ReactNode }

export function Radio({ children, className, ...props }: RadioProps) {
  return (
    <label className="flex min-h-7 w-fit items-center gap-2 has-disabled:text-disabled coarse:min-h-11">
      <input {...props} type="radio" className={classes(radioClass, className)} />
      <span>{children}</span>
    </label>
  )
}

type GroupProps<T extends string> = {
  /** Omit it inside a `<Field group>`. */
  label?: string
  options: readonly { value: T; label: ReactNode; disabled?: boolean }[]
  value: T | undefined
  onChange: (value: T) => void
  onBlur?: () => void
  column?: boolean
}

export function RadioGroup<T extends string>({
  label,
  options,
  value,
  onChange,
  onBlur,
  column,
}: GroupProps<T>) {
  const name = useId()
  const field = useFieldProps({ 'aria-label': label })
  return (
    <div
      role="radiogroup"
      {...field}
      className={classes('flex gap-x-5', column ? 'flex-col' : 'flex-wrap')}
      onBlur={onBlur}
    >
      {options.map((option) => (
        <Radio
          key={option.value}
          name={name}
          value={option.value}
          checked={option.value === value}
          disabled={option.disabled}
          onChange={() => onChange(option.value)}
        >
          {option.label}
        </Radio>
      ))}
    </div>
  )
}
