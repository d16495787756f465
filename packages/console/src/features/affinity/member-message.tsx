import type { AffinityFamily } from '@gantry/api/affinity.rules'
import type { ReactNode } from 'react'
import { kindOf } from './words.ts'

/** A success message: `Member web removed from anti-affinity group pair`. */
export const memberMessage = (
  family: AffinityFamily,
  instance: string,
  what: 'added to' | 'removed from',
  group: string,
): ReactNode => (
  <>
    Member <strong>{instance}</strong> {what} {kindOf(family)} <strong>{group}</strong>
  </>
)
