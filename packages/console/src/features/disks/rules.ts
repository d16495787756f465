import { ceilingOf, GiB } from '@gantry/api/base/bytes.rules'
import { diskAllows, diskMaxSize } from '@gantry/api/storage/disk.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Disk } from './queries.ts'

export const maxGib = diskMaxSize / GiB
/** The default size. */
export const defaultGib = 10

/** The minimum size of a disk created from a source of this size, in bytes. */
export const minGib = (sourceBytes: number | undefined): number =>
  Math.min(maxGib, Math.max(1, Math.ceil((sourceBytes ?? 0) / GiB)))

export const suggestedGib = (sourceBytes: number): number => ceilingOf(sourceBytes / GiB)

/** Raises the size to the suggested one for a source that does not fit. Never lowers the size for one that fits. */
export function followSource(gib: number | null, sourceBytes: number): number {
  if (gib === null) return suggestedGib(sourceBytes)
  return sourceBytes > gib * GiB ? suggestedGib(sourceBytes) : gib
}

interface SizeOf {
  label: string
  source?: string
  sourceBytes?: number | undefined
  /** The disk only shows its source. */
  readOnly?: boolean
  /** The server knows how large a local disk may be. */
  isLocal?: boolean
}

/** The problem with a size. `source` names the disk's source, as in `image`. */
export function diskGibProblem(
  gib: number | null,
  { label, source, sourceBytes, readOnly, isLocal }: SizeOf,
): string | undefined {
  if (gib === null) return `${label} is required`
  if (!Number.isInteger(gib)) return 'Must be a whole number of GiB'
  if (gib < 1) return 'Must be at least 1 GiB'
  if (gib > maxGib && !isLocal) return `Can be at most ${maxGib} GiB`
  if (source && readOnly && sourceBytes !== undefined && gib * GiB !== sourceBytes)
    return `A read-only disk has the size of its ${source} (${minGib(sourceBytes)} GiB)`
  if (source && gib * GiB < (sourceBytes ?? 0)) {
    return `Must be as large as the selected ${source} (at least ${minGib(sourceBytes)} GiB)`
  }
  return undefined
}

/** Those that can be attached, as a filter of lists. */
export const attachableFilter = `state:${diskAllows.attach.join(',')}`

/** The disks that can be attached to an instance, including one still being created. */
export const attachable = <D extends Pick<Disk, 'name'> & { state: Pick<Disk['state'], 'state'> }>(
  disks: readonly D[],
  exclude: readonly string[],
): D[] =>
  disks.filter(({ name, state }) => allows(diskAllows, 'attach', state.state) && !exclude.includes(name))
