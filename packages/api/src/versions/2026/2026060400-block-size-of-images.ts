import { type Dated, ref, reshaped } from '../dated.ts'

/** The values are the same integers; only descriptions list them. */
export const blockSizeOfImages: Dated = {
  version: 2026060400,
  types: {
    Image: { schema: (newer) => reshaped(newer, ['block_size'], { block_size: ref('ByteCount') }) },
  },
}
