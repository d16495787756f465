import type { ReactNode } from 'react'

/** The words of a success: `Role assigned to omar`. */
export const toldRole = (what: string, name: string): ReactNode => (
  <>
    {what} <strong>{name}</strong>
  </>
)
