import type { ReactNode } from 'react'

import { classes } from '../classes.ts'

/** The meaning of a state: fine, in transition, under maintenance, idle, gone or off, broken. */
export type StateFamily = 'ok' | 'busy' | 'care' | 'idle' | 'gone' | 'fail'

const tones: Record<StateFamily, string> = {
  ok: 'plate-ok',
  busy: 'plate-busy',
  care: 'plate-busy',
  idle: 'plate-idle',
  gone: 'plate-idle',
  fail: 'plate-fail',
}

type Props = { family: StateFamily; children: ReactNode; className?: string }

export function StatePlate({ family, children, className }: Props) {
  return (
    <span
      className={classes(
        'plate inline-flex h-5.5 items-center gap-[0.3125rem] rounded-tag pr-[0.4375rem] pl-[0.3125rem]',
        'text-sm leading-4 font-medium whitespace-nowrap',
        tones[family],
        className,
      )}
    >
      <StateGlyph family={family} />
      {children}
    </span>
  )
}

/** The shape conveys as much as the colour. Its cutouts use the tint of the plate around it (`--t`). */
function StateGlyph({ family }: { family: StateFamily }) {
  return (
    <svg
      viewBox="0 0 12 12"
      aria-hidden
      className={classes('size-3 shrink-0 overflow-visible', family === 'busy' && 'animate-turn')}
    >
      {glyphs[family]}
    </svg>
  )
}

/** The glyph alone, beside a word that says the state. */
export function StateMark({ family }: { family: StateFamily }) {
  return (
    <span className={classes('inline-flex', tones[family])} style={{ color: 'var(--f)' }}>
      <StateGlyph family={family} />
    </span>
  )
}

/** The glyph inside another drawing, 12 by 12. */
export function StateDrawing({ family }: { family: StateFamily }) {
  return (
    <g className={tones[family]} style={{ color: 'var(--f)' }}>
      {glyphs[family]}
    </g>
  )
}

const cut = { fill: 'none', stroke: 'var(--t)' }

const glyphs: Record<StateFamily, ReactNode> = {
  ok: (
    <>
      <circle cx="6" cy="6" r="5.75" fill="currentColor" />
      <path d="M3.5 6.2 5.3 8l3.3-3.7" strokeWidth="1.6" {...cut} />
    </>
  ),
  busy: (
    <>
      <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.75" opacity=".32" />
      <path
        d="M6 1.25A4.75 4.75 0 0 1 10.75 6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </>
  ),
  care: (
    <>
      <path d="M6 0 12 6 6 12 0 6z" fill="currentColor" />
      <path d="M6 3.2v3.2M6 7.9v1.2" strokeWidth="1.4" {...cut} />
    </>
  ),
  idle: <rect x="1.25" y="1.25" width="9.5" height="9.5" rx="1.5" fill="currentColor" />,
  gone: (
    <rect
      x="1.75"
      y="1.75"
      width="8.5"
      height="8.5"
      rx="1.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    />
  ),
  fail: (
    <>
      <path d="M3.6.25h4.8l3.35 3.35v4.8L8.4 11.75H3.6L.25 8.4V3.6z" fill="currentColor" />
      <path d="m4 4 4 4m0-4L4 8" strokeWidth="1.5" {...cut} />
    </>
  ),
}
