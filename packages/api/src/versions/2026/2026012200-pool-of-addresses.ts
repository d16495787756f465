import { type Dated, orNull, ref, reshaped, variants } from '../dated.ts'

/**
 * Before, a named address could be given with its pool. The pool of the address is found by it; one that is named is still
 * kept to, because an address of another pool is not what was asked for.
 */
export const poolOfAddresses: Dated = {
  version: 2026012200,
  types: {
    AddressAllocator: {
      schema: (newer) =>
        variants(newer, (one, type) => [
          type === 'explicit' ? reshaped(one, ['pool'], { pool: orNull(ref('NameOrId')) }, ['pool']) : one,
        ]),
    },
  },
}
