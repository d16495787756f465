import { type Dated, omitted, orNull, reshaped } from '../dated.ts'

/** Groups had a VLAN of their own, which none was ever given. */
export const virtualNetworksOfGroups: Dated = {
  version: 2026031400,
  types: {
    MulticastGroup: {
      schema: (newer) =>
        reshaped(
          newer,
          ['has_any_source_member'],
          { mvlan: orNull({ type: 'integer', format: 'uint16', minimum: 0, maximum: 65_535 }) },
          ['mvlan'],
        ),
      down: (newer) => ({ ...omitted(newer, ['has_any_source_member']), mvlan: null }),
    },
  },
}
