import { type Dated, omitted, reshaped } from '../dated.ts'

export const remainingOfSubnetPools: Dated = {
  version: 2026032500,
  types: {
    SubnetPoolUtilization: {
      schema: (newer) => reshaped(newer, ['remaining'], { allocated: { type: 'number', format: 'double' } }),
      down: (use) => ({
        ...omitted(use, ['remaining']),
        allocated: (use['capacity'] as number) - (use['remaining'] as number),
      }),
    },
  },
}
