import type { Disk } from '#/features/disks/queries.ts'
import type { Image } from '#/features/images/queries.ts'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { SshKey } from '#/features/ssh-keys/queries.ts'

/** The available options, which the form has read anyway. */
export interface Offered {
  siloImages: readonly Pick<Image, 'id'>[]
  projectImages: readonly Pick<Image, 'id'>[]
  sshKeys: readonly Pick<SshKey, 'id'>[]
  pools: readonly Pick<IpPool, 'id' | 'name'>[]
  disks: readonly Pick<Disk, 'name'>[]
}
