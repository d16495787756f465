import { z } from 'zod'
import { family, post } from '../op.ts'
import { identityCreate, InProject, named, NameOrId } from '../schema.ts'
import { ImageText } from './image.ts'
import { ImageUpload } from './image-upload.ts'

export const diskImageOps = family('extensions', ['disk'], {
  diskImageCreate: post('/ext/v1/disks/{disk}/images', {
    summary: 'Create an image of a disk as it is now, by a snapshot that is deleted afterwards',
    path: z.object({ disk: NameOrId }),
    query: InProject,
    body: named('DiskImageCreate', z.object({ ...identityCreate, os: ImageText, version: ImageText })),
    returns: ImageUpload,
    changes: ['image-upload', 'image', 'disk', 'snapshot', 'utilization'],
  }),
})
