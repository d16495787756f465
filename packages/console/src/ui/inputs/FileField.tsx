import FileUp from 'lucide-react/icons/file-up'
import X from 'lucide-react/icons/x'
import { useId, useRef, useState, type Ref } from 'react'

import { IconButton } from '../Button.tsx'
import { classes } from '../classes.ts'
import { useFieldProps } from './Field.tsx'
import { formatFileSize, formatSeries } from '../data/format-amounts.ts'

type Props = {
  value: File | undefined
  onChange: (file: File | undefined) => void
  onBlur?: () => void
  /** Extensions with their dots: `.iso`. */
  accept?: readonly string[]
  disabled?: boolean
  name?: string
  ref?: Ref<HTMLInputElement>
}

/** A drop zone for a file, which is also the button to select one. */
export function FileField({ value, onChange, onBlur, accept, disabled, name, ref }: Props) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement | null>(null)
  const field = useFieldProps<{ 'aria-describedby'?: string }>({})
  const fileId = useId()
  const extensions = accept?.map((extension) => extension.replace(/^\./, '')) ?? []
  return (
    <div
      className={classes(
        'relative flex min-h-20 items-center justify-center gap-3 rounded-control border border-dashed px-3 py-3 text-sm',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:border-line has-disabled:bg-sunken has-disabled:text-disabled',
        'has-aria-invalid:border-fail-fill',
        isOver ? 'border-accent-edge bg-selected' : 'border-control-line bg-raised hover:bg-hover',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(!disabled)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const file = event.dataTransfer.files[0]
        if (file && !disabled) onChange(file)
      }}
    >
      <input
        {...field}
        aria-describedby={classes(fileId, field['aria-describedby'])}
        ref={(element) => {
          input.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref) ref.current = element
        }}
        type="file"
        name={name}
        accept={accept?.join(',')}
        disabled={disabled}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
        onBlur={onBlur}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) onChange(file)
          // Cleared, so that selecting the same file again counts as a change. The input itself then has no file to
          // name.
          event.target.value = ''
        }}
      />
      {!value && (
        <>
          <FileUp aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="text-muted">
            Drop a file or <span className="font-medium text-accent-text">browse</span>
            {extensions.length > 0 && <span className="block text-xs">{formatSeries(extensions, 'or')}</span>}
          </span>
        </>
      )}
      {/* Always rendered, because only a change of it is announced. */}
      <span id={fileId} role="status" className="min-w-0 empty:sr-only">
        {value && (
          <>
            <span className="mr-3 font-medium wrap-anywhere text-strong">{value.name}</span>{' '}
            <span className="text-muted tabular-nums">{formatFileSize(value.size)}</span>
          </>
        )}
      </span>
      {value && (
        <IconButton
          kind="quiet"
          label="Clear file"
          disabled={disabled}
          onClick={() => {
            onChange(undefined)
            input.current?.focus()
          }}
        >
          <X aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  )
}
