import type { Migration } from './migration.ts'

/** Instances whose primary interface has larger frames, where the operators allow it. */
export const jumboFrames: Migration = {
  id: '0104-jumbo-frames',
  statements: ['ALTER TABLE instance ADD COLUMN enable_jumbo_frames bool NOT NULL DEFAULT false'],
}
