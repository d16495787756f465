import { z } from 'zod'
import { Instance } from '../compute/instance.ts'
import { family, put } from '../op.ts'
import { IdentityUpdate, InProject, named, NameOrId } from '../schema.ts'
import { Disk } from '../storage/disk.ts'
import { InstanceSnapshot } from '../storage/instance-snapshot.ts'

/** What is absent stays as it is. */
const NewIdentity = named('NewIdentity', z.object(IdentityUpdate))

const summary = (noun: string, rest: string) => `Rename ${noun}, or change its description${rest}`

/** Names and descriptions of what the base API gives no other name. */
export const identityChangeOps = family('extensions', [], {
  instanceIdentityUpdate: put('/ext/v1/instances/{instance}', {
    summary: summary('an instance', '; firewall rules and routes that name it follow'),
    path: z.object({ instance: NameOrId }),
    query: InProject,
    body: NewIdentity,
    returns: Instance,
    changes: ['instance', 'vpc-firewall-rule', 'router-route'],
  }),
  diskIdentityUpdate: put('/ext/v1/disks/{disk}', {
    summary: summary('a disk', ''),
    path: z.object({ disk: NameOrId }),
    query: InProject,
    body: NewIdentity,
    returns: Disk,
    changes: ['disk'],
  }),
  instanceSnapshotIdentityUpdate: put('/ext/v1/instance-snapshots/{instance_snapshot}', {
    summary: summary('an instance snapshot', '; those of its disks keep theirs'),
    path: z.object({ instance_snapshot: NameOrId }),
    query: InProject,
    body: NewIdentity,
    returns: InstanceSnapshot,
    changes: ['instance-snapshot'],
  }),
})
