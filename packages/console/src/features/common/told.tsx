import type { ReactNode } from 'react'

/** The words of a success, with the name set off: `Project web created`. */
export const told = (kind: string, name: string, what: string): ReactNode => (
  <>
    {kind} <strong>{name}</strong> {what}
  </>
)
