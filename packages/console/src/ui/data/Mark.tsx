import { classes } from '../classes.ts'

/** The logo: a beam on two footed legs with a load on a cable. */
export function Mark({ className = 'size-7', label }: { className?: string; label?: string }) {
  return (
    <svg
      viewBox="0 0 28 28"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={classes('shrink-0 text-strong', className)}
    >
      <path
        fill="currentColor"
        d="M1.5 5h25v3.5h-3V22h2.25v2.5h-7V22H21V8.5H7V22h2.25v2.5h-7V22H4.5V8.5h-3zM13.25 8.5h1.5v4h-1.5z"
      />
      <rect className="fill-accent-edge" x="10" y="12.5" width="8" height="6.5" rx=".75" />
    </svg>
  )
}
