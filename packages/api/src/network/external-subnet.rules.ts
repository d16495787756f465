import type { RunState } from '../compute/instance.rules.ts'

/** Maximum number of external subnets that an instance may have. */
export const maxSubnetsOfInstance = 32

/** States of an instance in which its external subnets can change. */
export const externalSubnetAllows = {
  attach: ['stopped', 'running'],
  detach: ['stopped', 'running'],
} as const satisfies Record<string, readonly RunState[]>
