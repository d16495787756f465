import type { imageOps } from '@gantry/api/storage/image'
import { atlas, fresh, id, named, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  modifyChild,
  on,
  openly,
  type Given,
} from '../../testing/operation-case.ts'

export const imageCases: CasesOf<typeof imageOps> = {
  imageList: { sent: {}, rule: openly('list_children', 'siloImage'), allowed: () => ['/v1/images'] },
  imageView: {
    sent: { path: { image: 'nobody' } },
    rule: on('read', 'siloImage'),
    allowed: () => ['/v1/images/debian-13'],
    addressed: [
      'image',
      'image',
      ['project'],
      'when providing image as an ID, project should not be specified',
    ],
  },
  imageCreate: {
    sent: {
      query: project,
      body: { ...named, os: 'Linux', version: '1', source: { type: 'snapshot', id } },
    },
    rule: createInProject,
    allowed: ({ ids }) => [
      `/v1/images?${atlas}`,
      { name: fresh(), description: '', os: '', version: '', source: { type: 'snapshot', id: ids.snapshot } },
    ],
  },
  imageDelete: {
    sent: { path: { image: 'nobody' }, query: project },
    rule: modifyChild,
    allowed: async ({ freshImage, ids }) => [`/v1/images/${await freshImage(ids.project)}?${atlas}`],
  },
  // A project collaborator sees the image, but may not promote it to the silo.
  imagePromote: {
    sent: { path: { image: 'nobody' }, query: project },
    rule: {
      needs: 'create_child',
      of: 'siloImage',
      hidden: true,
      in: 'demo',
      seenAs: 'projectChild',
    },
    allowed: async ({ freshImage, ids }) => [`/v1/images/${await freshImage(ids.project)}/promote?${atlas}`],
  },
  // Checks the silo image first; a caller with that permission may create in every project.
  imageDemote: {
    sent: { path: { image: 'nobody' }, query: project },
    rule: on('modify', 'siloImage'),
    allowed: async ({ freshImage }) => [`/v1/images/${await freshImage(null)}/demote?${atlas}`],
  },
}

export const imageGiven: Given = {
  image: async ({ at, the, idOf }) => [
    `/v1/images?${at}`,
    { ...the, os: '', version: '', source: { type: 'snapshot', id: await idOf('snapshot') } },
  ],
}
