import { type Dated, Inexpressible, omitted, orNull, ref, reshaped, string, variants } from '../dated.ts'

/** What an external subnet and its pool were given beside what decides. */
export const allocationOfSubnets: Dated = {
  version: 2026012201,
  types: {
    ExternalSubnetAllocator: {
      schema: (newer) =>
        variants(newer, (one, type) => [
          type === 'explicit' ? reshaped(one, [], { pool: orNull(ref('NameOrId')) }, ['pool']) : one,
        ]),
      up: (older) => {
        if (older['type'] === 'explicit' && typeof older['pool'] === 'string')
          throw new Inexpressible('a subnet and a pool are both given', 'Leave the pool out.')
        return older['type'] === 'explicit' ? omitted(older, ['pool']) : older
      },
    },
    SubnetPoolCreate: {
      schema: (newer) =>
        reshaped(newer, [], { pool_type: { default: 'unicast', ...ref('IpPoolType') } }, ['pool_type']),
      up: (older) => {
        if ('pool_type' in older && older['pool_type'] !== 'unicast')
          throw new Inexpressible(
            'pools of multicast subnets are not supported',
            'Create a pool of type `unicast`.',
          )
        return omitted(older, ['pool_type'])
      },
    },
    SubnetPoolMemberAdd: {
      schema: (newer) => reshaped(newer, [], { name: ref('Name'), description: string }),
      up: (older) => omitted(older, ['name', 'description']),
    },
  },
}
