import type { DiskStateName } from '@gantry/api/storage/disk'
import type { FailureReason } from '@gantry/api/extensions'
import type { ImageFormat } from '@gantry/api/storage/image-format.rules'
import type { ImageUploadState } from '@gantry/api/storage/image-upload.rules'
import type { Defaulted, JsonOrNull, Named, Protectable, Taggable } from './column-types.ts'

interface DiskTable extends Protectable {
  project_id: string
  size: number
  block_size: number
  state: DiskStateName
  instance_id: string | null
  /** Its place in the machines of its instance for as long as it is attached; null otherwise (`fleet/disk-slots.ts`). */
  slot: Defaulted<number | null>
  snapshot_id: string | null
  image_id: string | null
  /** Its bytes in the block store. */
  content_id: string
  failure: JsonOrNull<FailureReason>
}
interface SnapshotTable extends Taggable {
  project_id: string
  disk_id: string
  size: number
  block_size: number
  state: 'creating' | 'ready' | 'faulted' | 'destroyed'
  content_id: string
  failure: JsonOrNull<FailureReason>
}
interface ImageTable extends Protectable {
  silo_id: string
  project_id: string | null
  os: string
  version: string
  digest: JsonOrNull<{ type: 'sha256'; value: string }>
  block_size: number
  size: number
  content_id: string
}
/** An image being uploaded, with bytes of its own until the image takes them over. */
interface ImageUploadTable extends Named {
  project_id: string
  os: string
  version: string
  block_size: number
  size: number
  state: ImageUploadState
  content_id: string
  image_id: string | null
  failure: JsonOrNull<FailureReason>
  /** As declared, or as recognised when it was completed. */
  format: ImageFormat | null
  /** The raw image that it is converted to, while it is. */
  converted_content_id: string | null
  /** Storage charged for that image. */
  converted_charge: number | null
  image_size: number | null
  percent_converted: number | null
}
/**
 * Byte ranges of an upload that are on disk; rows may touch and overlap (`modules/storage/upload-ranges.ts`).
 */
interface ImageUploadRangeTable {
  upload_id: string
  first_byte: number
  length: number
  time: Date
}

export interface StorageTracked {
  disk: DiskTable
  snapshot: SnapshotTable
  image: ImageTable
  image_upload: ImageUploadTable
}

export interface StoragePlain {
  image_upload_range: ImageUploadRangeTable
}
