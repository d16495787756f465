import { whyNot } from '@gantry/api/base/state.rules'
import { diskAllows, readOnlyCannot } from '@gantry/api/storage/disk.rules'
import type { Disk } from './queries.ts'

/** The reason beside `Snapshot`; undefined if the disk can be copied. */
export const whyNotCopy = ({ readOnly, state }: Pick<Disk, 'readOnly' | 'state'>): string | undefined =>
  readOnly ? readOnlyCannot.snapshot : whyNot(diskAllows, 'snapshot', state.state)
