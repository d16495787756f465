import { type Dated, ref, reshaped } from '../dated.ts'

/** The values are the same integers; only descriptions list them. */
export const blockSizeOfDisks: Dated = {
  version: 2026060300,
  types: {
    Disk: { schema: (newer) => reshaped(newer, ['block_size'], { block_size: ref('ByteCount') }) },
  },
}
