import type { InputOf } from '@gantry/api/client/client'

export type DiskBackend = InputOf<'diskCreate'>['body']['diskBackend']
export type DiskSource = Extract<DiskBackend, { type: 'distributed' }>['diskSource']

/** The backend of the disks that forms create. */
export const distributed = (diskSource: DiskSource): DiskBackend => ({ type: 'distributed', diskSource })

/** The source within it; undefined for a local disk, which has none. */
export const sourceIn = (backend: DiskBackend): DiskSource | undefined =>
  backend.type === 'distributed' ? backend.diskSource : undefined
