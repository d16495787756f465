import type { imageUploadOps } from '@gantry/api/storage/image-upload'
import { atlas, fresh, id, named, newImport, newUpload, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '../../testing/operation-case.ts'

export const imageUploadCases: CasesOf<typeof imageUploadOps> = {
  imageUploadList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/image-uploads?${atlas}`],
  },
  imageUploadCreate: {
    sent: {
      query: project,
      body: { ...named, os: 'Linux', version: '1', block_size: 512, size: 512 },
    },
    rule: createInProject,
    allowed: () => [`/ext/v1/image-uploads?${atlas}`, newUpload(fresh())],
  },
  imageImportCreate: {
    sent: {
      query: project,
      body: { ...named, os: 'Linux', version: '1', block_size: 512, url: 'https://images.test/disk.raw' },
    },
    rule: createInProject,
    allowed: () => [`/ext/v1/image-imports?${atlas}`, newImport(fresh())],
  },
  imageUploadView: {
    sent: { path: { upload: id } },
    rule: readChild,
    allowed: ({ ids }) => [`/ext/v1/image-uploads/${ids.upload}`],
  },
  imageUploadWrite: {
    sent: { path: { upload: id }, query: { offset: '0' } },
    rule: modifyChild,
    allowed: ({ ids }) => [`/ext/v1/image-uploads/${ids.upload}/content?offset=0`],
  },
  imageUploadZeros: {
    sent: { path: { upload: id }, body: { ranges: [{ offset: 0, length: 512 }] } },
    rule: modifyChild,
    allowed: ({ ids }) => [`/ext/v1/image-uploads/${ids.upload}/zeros`, { ranges: [] }],
  },
  imageUploadComplete: {
    sent: { path: { upload: id } },
    rule: modifyChild,
    allowed: ({ ids }) => [`/ext/v1/image-uploads/${ids.upload}/complete`],
  },
  imageUploadDelete: {
    sent: { path: { upload: id } },
    rule: modifyChild,
    allowed: async ({ owner }) => {
      const { id } = (await owner.post(`/ext/v1/image-uploads?${atlas}`, newUpload(fresh()))).body
      return [`/ext/v1/image-uploads/${id}`]
    },
  },
  imageFormatsView: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/image-formats'] },
}

export const imageUploadGiven: Given = {
  upload: ({ at, the }) => [`/ext/v1/image-uploads?${at}`, newUpload(the.name)],
}
