import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useRef, useState } from 'react'

import { classes } from './classes.ts'
import { copyText } from './copy-text.ts'
import { Tooltip } from './overlays/Tooltip.tsx'
import { Truncate } from './data/Truncate.tsx'

const SHOWN_MS = 2000

/** Copies, and on success shows a check mark for two seconds. */
export function useCopied() {
  const [isCopied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async (text: string) => {
    if (!(await copyText(text))) return
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return [isCopied, copy] as const
}

export function CopyButton({ text, className }: { text: string; className?: string }) {
  const [isCopied, copy] = useCopied()
  const label = isCopied ? 'Copied' : 'Click to copy'
  return (
    <Tooltip content={label} describes={false}>
      <button
        type="button"
        aria-label={label}
        className={classes(
          'wash relative inline-grid size-6 shrink-0 place-items-center rounded-[4px] text-muted hover:text-strong',
          'coarse:after:absolute coarse:after:-inset-2.5',
          className,
        )}
        onClick={(event) => {
          // Copying must not follow the link or select the row around it.
          event.preventDefault()
          event.stopPropagation()
          void copy(text)
        }}
      >
        {isCopied ? (
          <Check className="size-3.5 text-ok-fill" aria-hidden />
        ) : (
          <Copy className="size-3.5" aria-hidden />
        )}
      </button>
    </Tooltip>
  )
}

/** An id in mono, cut in the middle, with a copy button. */
export function CopyableId({ id, max = 32 }: { id: string; max?: number }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1 font-mono text-[0.8125rem] wrap-anywhere">
      <Truncate text={id} max={max} at="middle" />
      <CopyButton text={id} />
    </span>
  )
}
