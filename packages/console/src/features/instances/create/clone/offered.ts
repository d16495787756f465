import { nameMaxLength } from '@gantry/api/base/name.rules'
import type { Disk } from '#/features/disks/queries.ts'
import type { Image } from '#/features/images/queries.ts'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { SshKey } from '#/features/ssh-keys/queries.ts'

/** The available options, which the form has read anyway. */
export interface Offered {
  siloImages: readonly Pick<Image, 'id'>[]
  projectImages: readonly Pick<Image, 'id'>[]
  sshKeys: readonly Pick<SshKey, 'id'>[]
  pools: readonly (Pick<IpPool, 'id' | 'name'> & Partial<Pick<IpPool, 'ipVersion'>>)[] | null
  disks: readonly Pick<Disk, 'name'>[]
}

const ending = '-copy'

/** The name with the suffix `-copy`, cut to fit, and numbered if taken. */
export function copyName(name: string, taken: ReadonlySet<string> = new Set()): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? ending : `${ending}-${count}`
    const copy = `${name.slice(0, nameMaxLength - end.length).replace(/-+$/, '')}${end}`
    if (!taken.has(copy)) return copy
  }
}
