import type { ReactNode } from 'react'

/** A success message: `Member web removed from anti-affinity group pair`. */
export const memberMessage = (
  instance: string,
  what: 'added to' | 'removed from',
  group: string,
): ReactNode => (
  <>
    Member <strong>{instance}</strong> {what} anti-affinity group <strong>{group}</strong>
  </>
)
