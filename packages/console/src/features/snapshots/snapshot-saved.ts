import type { ReactNode } from 'react'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { Snapshot } from './queries.ts'

/** The success message of a new snapshot, whose copy may outlast the request. */
export const snapshotSaved = ({ name, state }: Pick<Snapshot, 'name' | 'state'>): ReactNode =>
  successMessage('Snapshot', name, state === 'creating' ? 'is being created' : 'created')
