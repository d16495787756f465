import { type Dated, partsOf, type Schema, variants } from '../dated.ts'

/** Disks of snapshots and images can be written unless a request says otherwise; before, it had to say so. */
export const writableByDefault: Dated = {
  version: 2026013100,
  types: { DiskSource: { schema: (newer) => variants(newer, (one) => [required(one)]) } },
}

const required = (one: Schema): Schema =>
  partsOf(one).properties['read_only']
    ? { ...one, required: [...(partsOf(one).required ?? []), 'read_only'] }
    : one
