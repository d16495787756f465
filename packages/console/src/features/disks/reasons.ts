import { diskAllows } from '@gantry/api/disk.rules'
import { whyNot } from '@gantry/api/state.rules'
import type { Disk } from './queries.ts'

/** The sentence beside `Delete`; undefined where a disk can go. */
export const whyNotDelete = (state: Disk['state']['state']): string | undefined =>
  state === 'attached'
    ? 'The disk must be detached before it can be deleted'
    : whyNot(diskAllows, 'delete', state)
