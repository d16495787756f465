import { z } from 'zod'
import { family, post } from '../op.ts'
import { InProject, NameOrId } from '../schema.ts'
import { Disk, DiskPath } from '../storage/disk.ts'

const path = z.object({ instance: NameOrId })

export const hotPlugOps = family('extensions', ['disk'], {
  instanceDiskHotAttach: post('/ext/v1/instances/{instance}/disks/attach', {
    summary: 'Attach a disk to an instance, also while it runs',
    path,
    query: InProject,
    body: DiskPath,
    returns: Disk,
    status: 202,
    changes: ['disk'],
  }),
  instanceDiskHotDetach: post('/ext/v1/instances/{instance}/disks/detach', {
    summary: 'Detach a disk from an instance, also while it runs, once its guest has released it',
    path,
    query: InProject,
    body: DiskPath,
    returns: Disk,
    status: 202,
    changes: ['disk'],
  }),
})
