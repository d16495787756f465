import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { BlockSize } from './disk.ts'
import { imageUrlMax, imageUrlProblem, isSha256 } from './image-url.rules.ts'
import { FailureReason } from '../extensions.ts'
import { ImageText } from './image.ts'
import { imageFormats, packedFormats } from './image-format.rules.ts'
import {
  imageUploadMaxPiece,
  imageUploadMaxZeros,
  imageUploadPurposes,
  imageUploadStates,
} from './image-upload.rules.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  IdPaging,
  idSorts,
  list,
  maybe,
  named,
  NameOrId,
  OfProject,
  pageOf,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const ByteRange = named('ByteRange', z.object({ offset: ByteCount, length: ByteCount }))

const ImageUploadPurpose = named('ImageUploadPurpose', z.enum(imageUploadPurposes))
const ImageFormat = named('ImageFormat', z.enum(imageFormats))

/** An image being uploaded: it resumes after a reload or a restart, and expires when abandoned. */
export const ImageUpload = named(
  'ImageUpload',
  withIdentity({
    project_id: Uuid,
    os: z.string(),
    version: z.string(),
    block_size: ByteCount,
    /** Zero while it is not known: a fetch learns it from the answer to its first request. */
    size: ByteCount,
    state: named('ImageUploadState', z.enum(imageUploadStates)),
    /** Ranges that the server has stored, merged and in order. */
    received: z.array(ByteRange),
    bytes_received: ByteCount,
    /** The file's format: as declared, or as recognised at completion. */
    format: ImageFormat.nullish(),
    /** The size of the image that it is converted to, once known. */
    image_size: ByteCount.nullish(),
    /** How much is converted, in percent, while it is. */
    percent_converted: z.number().int().nullish(),
    /** Where the server fetches the file from, without the query of the URL, which may hold a secret. */
    source_url: z.string().nullish(),
    /** The SHA-256 of a fetched file in hexadecimal, once it is complete. */
    sha256: z.string().nullish(),
    /** The disk whose image it becomes. */
    disk_id: Uuid.nullish(),
    /** When an idle upload expires, or a finished one is deleted. */
    time_expires: Timestamp,
    image_id: Uuid.nullish(),
    /** An image by default. */
    purpose: ImageUploadPurpose.nullish(),
    /** The instance that was made of it. */
    instance_id: Uuid.nullish(),
    /** Why the last attempt to complete it failed; its bytes are kept. */
    failure: FailureReason.nullish(),
  }),
)
export type ImageUpload = z.infer<typeof ImageUpload>

export const ImageUploadCreate = named(
  'ImageUploadCreate',
  z.object({
    ...identityCreate,
    os: ImageText,
    version: ImageText,
    block_size: BlockSize,
    size: ByteCount,
    /**
     * The file's format. `raw` keeps its bytes unchanged; others are converted to raw, and their size need not be a
     * multiple of the block size. Without one, the file is recognised by its first bytes.
     */
    format: maybe(ImageFormat),
    /** An `instance` is made of a whole file, which is an export or an OVA, by a request of its own. */
    purpose: maybe(ImageUploadPurpose),
  }),
)
export type ImageUploadCreate = z.infer<typeof ImageUploadCreate>

export const ImageImportCreate = named(
  'ImageImportCreate',
  z.object({
    ...identityCreate,
    os: ImageText,
    version: ImageText,
    block_size: BlockSize,
    /** The address of the file, with http or https. */
    url: text(imageUrlMax).superRefine((given, context) => {
      const problem = imageUrlProblem(given)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    }),
    /** The SHA-256 that the file must have, in hexadecimal. */
    sha256: maybe(
      text(64)
        .refine(isSha256, 'a SHA-256 has 64 hexadecimal digits')
        .overwrite((digits) => digits.toLowerCase()),
    ),
    /** As for an upload: without one, the file is recognised. */
    format: maybe(ImageFormat),
  }),
)
export type ImageImportCreate = z.infer<typeof ImageImportCreate>

const ImageUploadZeros = named('ImageUploadZeros', z.object({ ranges: list(ByteRange, imageUploadMaxZeros) }))

/** Which formats this server converts to raw, and within which bounds. */
export const ImageFormats = named(
  'ImageFormats',
  z.object({
    formats: z.array(
      z.object({
        format: named('PackedImageFormat', z.enum(packedFormats)),
        /** Why it is not converted here; null if it is. */
        why_not: z.string().nullable(),
      }),
    ),
    /** Maximum size of an image that a file is converted to. */
    max_size: ByteCount,
    /** Fetching files from URLs. */
    fetch: z.object({
      /** Why this server fetches none; null if it does. */
      why_not: z.string().nullable(),
      /** Maximum size of a file that is fetched. */
      max_size: ByteCount,
    }),
  }),
)
export type ImageFormats = z.infer<typeof ImageFormats>

const path = z.object({ upload: Uuid })

export const imageUploadOps = family('image-uploads', ['image-upload'], {
  imageUploadList: get('/ext/v1/image-uploads', {
    summary: "List a project's image uploads, including recently ended ones",
    query: IdPaging.extend({ project: maybe(NameOrId) }),
    requiredOnFirstPage: ['project'],
    sorts: idSorts,
    returns: pageOf('ImageUpload', ImageUpload),
  }),
  imageUploadCreate: post('/ext/v1/image-uploads', {
    changes: ['image-upload', 'utilization'],
    summary: 'Start an image upload',
    query: OfProject,
    body: ImageUploadCreate,
    returns: ImageUpload,
  }),
  imageImportCreate: post('/ext/v1/image-imports', {
    changes: ['image-upload', 'image', 'utilization'],
    summary: 'Create an image from a file that the server fetches from a URL',
    query: OfProject,
    body: ImageImportCreate,
    returns: ImageUpload,
  }),
  imageUploadView: get('/ext/v1/image-uploads/{upload}', {
    summary: 'Fetch an image upload',
    path,
    returns: ImageUpload,
  }),
  imageUploadWrite: put('/ext/v1/image-uploads/{upload}/content', {
    changes: [],
    summary: 'Upload bytes of an image at an offset',
    path,
    query: z.object({ offset: z.coerce.number().int().nonnegative() }),
    maxBytes: imageUploadMaxPiece,
    status: 204,
    audited: false,
  }),
  imageUploadZeros: post('/ext/v1/image-uploads/{upload}/zeros', {
    changes: [],
    summary: 'Declare ranges of an image as zero instead of uploading them',
    path,
    body: ImageUploadZeros,
    bodyMax: 128 * KiB,
    status: 204,
    audited: false,
  }),
  imageUploadComplete: post('/ext/v1/image-uploads/{upload}/complete', {
    changes: ['image-upload', 'image', 'utilization'],
    summary:
      'Complete an image upload, convert it to raw if needed, and create its image; one from a URL is fetched again',
    path,
    returns: ImageUpload,
    status: 202,
  }),
  imageUploadDelete: del('/ext/v1/image-uploads/{upload}', {
    changes: ['image-upload', 'utilization'],
    summary: 'Cancel an image upload, or remove an ended one',
    path,
  }),
  imageFormatsView: get('/ext/v1/image-formats', {
    summary: 'Fetch the formats of image files that are converted to raw',
    returns: ImageFormats,
  }),
})
