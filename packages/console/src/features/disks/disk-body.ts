import { GiB } from '@gantry/api/base/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import type { BlockSize, DiskTypeName } from '@gantry/api/storage/disk.rules'
import { type BackendSource, backendOf } from '#/data/disk-backend.ts'
import { defaultGib } from './rules.ts'

export type SourceKind = 'blank' | 'snapshot' | 'image'

export interface DiskValues {
  name: string
  description: string
  type: DiskTypeName
  source: SourceKind
  blockSize: BlockSize
  /** Ids; empty for none. */
  snapshot: string
  image: string
  /** Of a snapshot or an image. */
  readOnly: boolean
  /** In GiB. */
  size: number | null
}

export const emptyDisk: DiskValues = {
  name: '',
  description: '',
  type: 'distributed',
  source: 'blank',
  blockSize: 4096,
  snapshot: '',
  image: '',
  readOnly: false,
  size: defaultGib,
}

type DiskCreate = InputOf<'diskCreate'>['body']

export const diskBody = (values: DiskValues): DiskCreate => ({
  name: values.name,
  description: values.description,
  size: (values.size ?? 0) * GiB,
  diskBackend: backendOf(sourceOf(values)),
})

function sourceOf({ type, source, blockSize, snapshot, image, readOnly }: DiskValues): BackendSource {
  if (type === 'local') return { type }
  switch (source) {
    case 'blank':
      return { type: 'blank', blockSize }
    case 'snapshot':
      return { type: 'snapshot', snapshotId: snapshot, ...(readOnly && { readOnly }) }
    case 'image':
      return { type: 'image', imageId: image, ...(readOnly && { readOnly }) }
    default:
      return source satisfies never
  }
}
