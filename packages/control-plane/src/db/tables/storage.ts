import type { DiskStateName } from '@gantry/api/storage/disk'
import type { FailureReason } from '@gantry/api/extensions'
import type { ImageFormat } from '@gantry/api/storage/image-format.rules'
import type { ImageUploadState } from '@gantry/api/storage/image-upload.rules'
import type { Defaulted, JsonOrNull, Named, Protectable, StoredTags, Taggable } from './column-types.ts'

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
  /** Where its file was fetched from, without the query of the URL, and the SHA-256 of that file. */
  source_url: Defaulted<string | null>
  source_sha256: Defaulted<string | null>
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
  /** Where its file is fetched from, without the query of the URL. */
  source_url: Defaulted<string | null>
  /** The SHA-256 that the fetched file must have, and the one that it has, once that is known to be right. */
  expected_sha256: Defaulted<string | null>
  sha256: Defaulted<string | null>
  /** The disk whose image it becomes, and the snapshot that is taken for it. */
  disk_id: Defaulted<string | null>
  snapshot_id: Defaulted<string | null>
  /** The tags of the image that becomes of it. */
  image_tags: JsonOrNull<StoredTags>
}
/** What fetching the file of an upload needs, for as long as it may be fetched (`modules/storage/fetch`). */
interface ImageImportTable {
  upload_id: string
  /** Sealed, because it may hold a secret. */
  url: string
  /** By which the answer to a later request is recognised as the same file. */
  validator: Defaulted<string | null>
  /** Failed attempts since the last progress. */
  failures: Defaulted<number>
  time_begun: Date
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
  image_import: ImageImportTable
}
