import type { ReactNode } from 'react'

import { classes } from '../classes.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'

const frame =
  'inline-flex h-5 max-w-full items-stretch rounded-tag border border-line bg-raised text-xs whitespace-nowrap text-text'
const cell = 'flex items-center px-[0.3125rem]'

/** A fact, not a state: bordered and colourless. `kind` names the fact in a recessed half, with the value in mono. */
export function Tag({ kind, mono, children }: { kind?: ReactNode; mono?: boolean; children: ReactNode }) {
  return (
    <span className={frame}>
      {kind && (
        <span className={classes(cell, 'rounded-l-[2px] border-r border-line bg-sunken text-muted')}>
          {kind}
        </span>
      )}
      <span className={classes(cell, 'min-w-0', (mono ?? Boolean(kind)) && 'font-mono text-[0.75rem]')}>
        <span className="truncate">{children}</span>
      </span>
    </span>
  )
}

type TagListProps = {
  items: readonly { key: string; tag: ReactNode; text: string }[]
  /** How many are shown; the rest collapses into `+N`. */
  max?: number
  /** Heading of the list of the others. */
  caption?: string
}

export function TagList({ items, max = 1, caption }: TagListProps) {
  const rest = items.slice(max)
  return (
    // Inline, so that it reads, copies and sounds like `10.0.0.0/8+1` on one line.
    <span className="whitespace-nowrap">
      {items.slice(0, max).map(({ key, tag }) => (
        <span key={key} className="mr-1">
          {tag}
        </span>
      ))}
      {rest.length > 0 && <Overflow caption={caption} texts={rest.map(({ text }) => text)} />}
    </span>
  )
}

/** `+N`, focusable, listing the others. */
export function Overflow({ texts, caption }: { texts: readonly string[]; caption?: string }) {
  const list = (
    <>
      {caption && <span className="block opacity-75">{caption}</span>}
      {texts.map((text) => (
        <span key={text} className="block">
          {text}
        </span>
      ))}
    </>
  )
  return (
    <Tooltip content={list} describes={false}>
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- every role supports it (ARIA 1.3).
        aria-description={classes(caption && `${caption}:`, texts.join(', '))}
        className={classes(frame, cell, 'relative after:absolute after:-inset-1 coarse:after:-inset-3')}
      >
        +{texts.length}
      </button>
    </Tooltip>
  )
}
