import { type Dated, omitted, partsOf, reshaped, variants } from '../dated.ts'

/** The length of a prefix was shortened before. */
export const lengthOfPrefixes: Dated = {
  version: 2026032300,
  types: {
    ExternalSubnetAllocator: {
      schema: (newer) =>
        variants(newer, (one, type) => {
          const { prefix_length: length } = partsOf(one).properties
          return [type === 'auto' && length ? reshaped(one, ['prefix_length'], { prefix_len: length }) : one]
        }),
      up: (older) =>
        'prefix_len' in older
          ? { ...omitted(older, ['prefix_len']), prefix_length: older['prefix_len'] }
          : older,
    },
  },
}
