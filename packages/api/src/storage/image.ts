import { z } from 'zod'
import { BlockSize } from './disk.ts'
import { CdKind, machineHardware } from './hardware.ts'
import { bootRecords } from './hardware.rules.ts'
import { imageTextMax } from './image.rules.ts'
import { del, family, get, post } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  InProject,
  named,
  NameOrId,
  nameOrIdSorts,
  OfProject,
  ours,
  pageOf,
  projectPaging,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const Digest = named(
  'Digest',
  z.discriminatedUnion('type', [z.object({ type: z.literal('sha256'), value: z.string() })]),
)
const ImageHardware = named(
  'ImageHardware',
  z.object({
    ...machineHardware,
    /** How the image's bytes say that it boots; null where they were not read. */
    boot_record: named('BootRecord', z.enum(bootRecords)).nullable(),
  }),
)

export const Image = named(
  'Image',
  withIdentity({
    project_id: Uuid.nullish(),
    os: z.string(),
    version: z.string(),
    digest: Digest.nullish(),
    block_size: BlockSize,
    size: ByteCount,
    /** The file that the server fetched for it: its URL without the query, and its SHA-256 in hexadecimal. */
    source: ours(named('ImageOrigin', z.object({ url: z.string(), sha256: z.string() })).optional()),
    hardware: ours(ImageHardware.optional()),
    /** What it is as a CD; null where its bytes were not read for that. */
    cd: ours(CdKind.nullish()),
  }),
)
export type Image = z.infer<typeof Image>

const ImageSource = named(
  'ImageSource',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('snapshot'), id: Uuid }),
    // Used by tests of the reference API, and omitted from the description as there (B 8.3).
    z.object({ type: z.literal('you_can_boot_anything_as_long_as_its_alpine') }).meta({ unpublished: true }),
  ]),
)
/** The operating system of an image, or its version. */
export const ImageText = text(imageTextMax)
export const ImageCreate = named(
  'ImageCreate',
  z.object({ ...identityCreate, os: ImageText, version: ImageText, source: ImageSource }),
)
export type ImageCreate = z.infer<typeof ImageCreate>

const path = z.object({ image: NameOrId })

export const ImagePage = pageOf('Image', Image)

export const imageOps = family('images', ['image'], {
  imageList: get('/v1/images', {
    summary: "List a project's images, or the silo's",
    query: projectPaging,
    sorts: nameOrIdSorts,
    returns: ImagePage,
  }),
  imageView: get('/v1/images/{image}', {
    revalidates: true,
    summary: 'Fetch an image',
    path,
    query: InProject,
    returns: Image,
  }),
  imageCreate: post('/v1/images', {
    summary: 'Create an image from a snapshot',
    query: InProject,
    body: ImageCreate,
    returns: Image,
  }),
  imageDelete: del('/v1/images/{image}', { summary: 'Delete an image', path, query: InProject }),
  imagePromote: post('/v1/images/{image}/promote', {
    summary: 'Promote a project image to the silo',
    path,
    query: InProject,
    returns: Image,
    status: 202,
  }),
  imageDemote: post('/v1/images/{image}/demote', {
    summary: 'Demote a silo image to a project',
    path,
    query: OfProject,
    returns: Image,
    status: 202,
  }),
})
