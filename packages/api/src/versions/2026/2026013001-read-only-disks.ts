import { type Dated, reshaped, variants, without } from '../dated.ts'

/** Disks of snapshots and images can be read-only. */
export const readOnlyDisks: Dated = {
  version: 2026013001,
  types: {
    Disk: without('read_only'),
    DiskSource: { schema: (newer) => variants(newer, (one) => [reshaped(one, ['read_only'])]) },
  },
}
