import type { ReactNode } from 'react'

const frame =
  'M6 10h108M6 16h108M18 16v52M26 16v52M94 16v52M102 16v52M12 69h20M88 69h20M18 28l8 8M18 44l8 8M94 28l8 8M94 44l8 8M52 4h16v6H52z'

type Props = { className?: string; children?: ReactNode }

/** The frame of every drawing: beam, legs, trolley. The load conveys the message. */
function Frame({ className = 'h-19 w-30 text-control-line', children }: Props) {
  return (
    <svg
      viewBox="0 0 120 76"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden
      className={`max-w-full ${className}`}
    >
      <path d={frame} />
      {children}
    </svg>
  )
}

/** Nothing here yet: the outline of a load. */
export function EmptyLoad({ className }: { className?: string }) {
  return (
    <Frame className={className}>
      <path d="M60 16v14" />
      <rect x="44" y="30" width="32" height="24" rx="2" strokeDasharray="4 3" />
    </Frame>
  )
}

/** Not found: an empty hook. */
export function EmptyHook({ className = 'h-24 w-38 text-control-line' }: { className?: string }) {
  return (
    <Frame className={className}>
      <path d="M60 16v20" />
      <path d="M60 36c0 5 6 4 6 9a6 6 0 0 1-12 0" strokeWidth="2" className="text-accent-edge" />
    </Frame>
  )
}

/** A failure: the cable is torn and the load lies on the ground. */
export function FallenLoad({ className = 'h-24 w-38 text-control-line' }: { className?: string }) {
  return (
    <Frame className={className}>
      <path d="M60 16v9l3 3M57 36l3 3v3" />
      <rect
        x="44"
        y="43"
        width="30"
        height="22"
        rx="2"
        transform="rotate(7 59 54)"
        className="text-fail-fill"
      />
    </Frame>
  )
}
