import type { ReactNode } from 'react'

/** A success message: `Role assigned to omar`. */
export const roleMessage = (what: string, name: string): ReactNode => (
  <>
    {what} <strong>{name}</strong>
  </>
)
