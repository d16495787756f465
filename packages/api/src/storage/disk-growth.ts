import { z } from 'zod'
import { family, post } from '../op.ts'
import { ByteCount, InProject, named, NameOrId } from '../schema.ts'
import { Disk } from './disk.ts'

export const diskGrowthOps = family('extensions', ['disk'], {
  diskGrow: post('/ext/v1/disks/{disk}/grow', {
    summary: 'Grow a disk, also while its instance runs',
    path: z.object({ disk: NameOrId }),
    query: InProject,
    body: named(
      'DiskGrow',
      z.object({
        /** From now on, in bytes; more than now. */
        size: ByteCount,
      }),
    ),
    returns: Disk,
    status: 200,
    changes: ['disk', 'utilization'],
  }),
})
