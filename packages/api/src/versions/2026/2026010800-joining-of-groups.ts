import { arrayOf, type Dated, orNull, partsOf, ref, reshaped, type TypeChange, without } from '../dated.ts'

/** Instances join multicast groups with the sources that they listen to; before, they named groups. */
export const joiningOfGroups: Dated = {
  version: 2026010800,
  types: {
    InstanceCreate: named(),
    InstanceUpdate: named(),
    MulticastGroupMember: without('multicast_ip', 'source_ips'),
  },
}

function named(): TypeChange {
  return {
    schema: (newer) => {
      const isNull = partsOf(newer).properties['multicast_groups']?.['default'] === null
      const names = arrayOf(ref('NameOrId'))
      const groups = isNull ? { ...orNull(names), default: null } : { ...names, default: [] }
      return reshaped(newer, ['multicast_groups'], { multicast_groups: groups }, ['multicast_groups'])
    },
    up: (older) => {
      const { multicast_groups: groups } = older
      return Array.isArray(groups)
        ? { ...older, multicast_groups: groups.map((group: unknown) => ({ group })) }
        : older
    },
  }
}
