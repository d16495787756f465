// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import { diskAllows } from '@gantry/api/storage/disk.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import type { Disk } from './queries.ts'

/** The reason beside `Delete`; undefined if the disk can be deleted. */
export const whyNotDelete = (state: Disk['state']['state']): string | undefined =>
  state === 'attached'
    ? 'The disk must be detached before it can be deleted'
    : whyNot(diskAllows, 'delete', state)
