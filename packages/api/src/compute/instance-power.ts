import { z } from 'zod'
import { Instance } from './instance.ts'
import { family, post } from '../op.ts'
import { InProject, NameOrId } from '../schema.ts'

export const instancePowerOps = family('extensions', [], {
  instanceForceOff: post('/ext/v1/instances/{instance}/force-off', {
    changes: ['instance', 'utilization'],
    summary: 'Cut the power of an instance, without a shutdown of its guest',
    path: z.object({ instance: NameOrId }),
    query: InProject,
    returns: Instance,
    status: 202,
  }),
})
