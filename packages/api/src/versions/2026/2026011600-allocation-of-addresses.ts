import { type Dated, partsOf, reshaped } from '../dated.ts'

/** What chooses the address of a floating IP was called a selector before. */
export const allocationOfAddresses: Dated = {
  version: 2026011600,
  types: {
    FloatingIpCreate: {
      schema: (newer) =>
        reshaped(
          newer,
          ['address_allocator'],
          {
            address_selector: {
              ...partsOf(newer).properties['address_allocator'],
            },
          },
          ['address_selector'],
        ),
      up: ({ address_selector, ...rest }) => ({
        ...rest,
        ...(address_selector !== undefined && { address_allocator: address_selector }),
      }),
    },
  },
}
