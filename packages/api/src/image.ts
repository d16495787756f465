import { z } from 'zod'
import { family, get } from './op.ts'
import {
  ByteCount,
  InProject,
  named,
  NameOrId,
  nameOrIdSorts,
  pageOf,
  projectPaging,
  Uuid,
  withIdentity,
} from './schema.ts'

export const Digest = named('Digest', z.object({ type: z.literal('sha256'), value: z.string() }))
export const Image = named(
  'Image',
  withIdentity({
    project_id: Uuid.nullish(),
    os: z.string(),
    version: z.string(),
    digest: Digest.nullish(),
    block_size: ByteCount,
    size: ByteCount,
  }),
)
export type Image = z.infer<typeof Image>

export const imageOps = family('images', ['image'], {
  imageList: get('/v1/images', {
    summary: "List a project's images, or the silo's",
    query: projectPaging,
    sorts: nameOrIdSorts,
    returns: pageOf('Image', Image),
  }),
  imageView: get('/v1/images/{image}', {
    summary: 'Fetch an image',
    path: z.object({ image: NameOrId }),
    query: InProject,
    returns: Image,
  }),
})
