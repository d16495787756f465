import * as op from '@gantry/api/client/operations.gen'
import type { ReactNode } from 'react'
import { ask, type Send } from '#/data/client.ts'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { DiskCreate } from './DiskForm.tsx'
import type { Disk } from './queries.ts'

/** Creates a disk and reads it again, because the answer always says `creating`. */
export function useCreateDisk(project: string): (body: DiskCreate, send?: Send) => Promise<Disk> {
  const create = useOp(op.diskCreate)
  return async (body, send) => {
    const disk = await create.run({ query: { project }, body }, send)
    return (await ask(op.diskView, { path: { disk: disk.id } })) ?? disk
  }
}

/** The message of a new disk, whose bytes may take longer than the request, or fail. */
export const diskSaved = ({ name, state }: Pick<Disk, 'name' | 'state'>): ReactNode =>
  successMessage('Disk', name, outcomes[state.state] ?? 'created')

const outcomes: Partial<Record<Disk['state']['state'], string>> = {
  creating: 'is being created',
  faulted: 'could not be filled and is faulted',
}
