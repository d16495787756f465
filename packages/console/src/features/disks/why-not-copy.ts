import { whyNot } from '@gantry/api/base/state.rules'
import { diskAllows, whyNever } from '@gantry/api/storage/disk.rules'
import type { Disk } from './queries.ts'

type Copied = Pick<Disk, 'readOnly' | 'diskType' | 'state'>

/** The reason beside `Snapshot`; undefined if the disk can be copied. */
export const whyNotCopy = (disk: Copied): string | undefined =>
  whyNeverOf('snapshot', disk) ?? whyNot(diskAllows, 'snapshot', disk.state.state)

/** The reason that no state changes. */
export const whyNeverOf = (
  action: 'snapshot' | 'grow',
  { readOnly, diskType }: Omit<Copied, 'state'>,
): string | undefined => whyNever(action, { read_only: readOnly, disk_type: diskType })
