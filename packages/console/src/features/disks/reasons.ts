import { diskAllows } from '@gantry/api/disk.rules'
import { allows } from '@gantry/api/state.rules'
import type { Disk } from './queries.ts'

/** The disks that an instance can get, also together with a disk that is still creating. */
export const attachable = <D extends Pick<Disk, 'name'> & { state: Pick<Disk['state'], 'state'> }>(
  disks: readonly D[],
  exclude: readonly string[],
): D[] =>
  disks.filter(({ name, state }) => allows(diskAllows, 'attach', state.state) && !exclude.includes(name))
