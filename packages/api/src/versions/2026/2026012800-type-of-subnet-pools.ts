import { type Dated, ref, reshaped, string } from '../dated.ts'

/** Every pool was of one type, and what every member had is a constant, as it was then. */
export const typeOfSubnetPools: Dated = {
  version: 2026012800,
  types: {
    SubnetPool: {
      schema: (newer) => reshaped(newer, [], { pool_type: ref('IpPoolType') }),
      down: (pool) => ({ ...pool, pool_type: 'unicast' }),
    },
    SubnetPoolMember: {
      schema: (newer) =>
        reshaped(newer, [], {
          name: ref('Name'),
          description: string,
          time_modified: { type: 'string', format: 'date-time' },
        }),
      down: (member) => ({
        ...member,
        name: 'unused',
        description: '',
        time_modified: member['time_created'],
      }),
    },
  },
}
