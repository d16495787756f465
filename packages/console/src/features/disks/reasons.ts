import { diskAllows } from '@gantry/api/disk.rules'
import { allows } from '@gantry/api/state.rules'
import type { Disk } from './queries.ts'

/** The disks that can be attached to an instance, including one still being created. */
export const attachable = <D extends Pick<Disk, 'name'> & { state: Pick<Disk['state'], 'state'> }>(
  disks: readonly D[],
  exclude: readonly string[],
): D[] =>
  disks.filter(({ name, state }) => allows(diskAllows, 'attach', state.state) && !exclude.includes(name))
