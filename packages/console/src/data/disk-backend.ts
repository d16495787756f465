import type { InputOf } from '@gantry/api/client/client'

export type DiskBackend = InputOf<'diskCreate'>['body']['diskBackend']
type DiskSource = Extract<DiskBackend, { type: 'distributed' }>['diskSource']

/** As templates keep it: a local disk has no other source. */
export type BackendSource = DiskSource | Extract<DiskBackend, { type: 'local' }>

/** The backend of the disks that forms create. */
export const backendOf = (source: BackendSource): DiskBackend =>
  source.type === 'local' ? source : { type: 'distributed', diskSource: source }

export const sourceIn = (backend: DiskBackend): BackendSource =>
  backend.type === 'local' ? backend : backend.diskSource
