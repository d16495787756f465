import type { Image } from '@gantry/api/storage/image'
import { ops } from '@gantry/api/registry'
import { implement } from '../../pipeline/implement.ts'
import { need } from '../../lookup/need.ts'
import { listInProject } from '../../list/page.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { sortedPage } from '../../list/sorted-page.ts'
import { createDisk, deleteDisk, diskView, updateDiskIdentity } from './disks.ts'
import { createDiskImage } from './disk-images/disk-images.ts'
import { createImport } from './fetch/image-imports.ts'
import { growDisk } from './growth/grow-disk.ts'
import { updateImageHardware } from './hardware/image-hardware.ts'
import { bulkWrite, finalizeImport, startBulkWrite, stopBulkWrite } from './import.ts'
import { createImage, deleteImage, demoteImage, promoteImage } from './image-changes.ts'
import { completeUpload, createUpload, deleteUpload, listUploads, viewUpload } from './image-uploads.ts'
import { imageView, listImages } from './images.ts'
import { createSnapshot, deleteSnapshot, snapshotView } from './snapshots.ts'
import { viewImageFormats } from './upload-format.ts'
import { writePiece, writeZeros } from './upload-bytes.ts'

export const storageHttp = implement({
  diskList: (cx, { query }) => listInProject(cx, 'disk', query, diskView),
  diskCreate: async (cx, { query, body }) => diskView(await createDisk(cx, query, body)),
  diskView: async (cx, { path, query }) =>
    diskView((await need(cx, 'disk', { ...path, ...query }, 'read')).row),
  diskIdentityUpdate: async (cx, input) => diskView(await updateDiskIdentity(cx, input)),
  diskImageCreate: (cx, input) => createDiskImage(cx, input),
  diskGrow: async (cx, input) => diskView(await growDisk(cx, input)),
  diskDelete: (cx, { path, query }) => deleteDisk(cx, { ...path, ...query }),
  diskBulkWriteImportStart: (cx, { path, query }) => startBulkWrite(cx, { ...path, ...query }),
  diskBulkWriteImport: (cx, { path, query, body }) => bulkWrite(cx, { ...path, ...query }, body),
  diskBulkWriteImportStop: (cx, { path, query }) => stopBulkWrite(cx, { ...path, ...query }),
  diskFinalizeImport: (cx, { path, query, body }) => finalizeImport(cx, { ...path, ...query }, body),

  snapshotList: (cx, { query }) => listInProject(cx, 'snapshot', query, snapshotView),
  snapshotCreate: async (cx, { query, body }) => snapshotView(await createSnapshot(cx, query, body)),
  snapshotView: async (cx, { path, query }) =>
    snapshotView((await need(cx, 'snapshot', { ...path, ...query }, 'read')).row),
  snapshotDelete: (cx, { path, query }) => deleteSnapshot(cx, { ...path, ...query }),

  diskSortedList: (cx, { query }) => sortedPage(cx, ops.diskSortedList, 'disk', query, diskView),
  snapshotSortedList: (cx, { query }) =>
    sortedPage(cx, ops.snapshotSortedList, 'snapshot', query, snapshotView),
  imageSortedList: (cx, { query }) =>
    filteredPage<'image', typeof query, Image>(cx, ops.imageSortedList, 'image', query, imageView),

  imageList: (cx, { query }) => listImages(cx, query),
  imageView: async (cx, { path, query }) =>
    imageView((await need(cx, 'image', { ...path, ...query }, 'read')).row),
  imageCreate: async (cx, { query, body }) => imageView(await createImage(cx, query, body)),
  imageDelete: (cx, { path, query }) => deleteImage(cx, { ...path, ...query }),
  imagePromote: async (cx, { path, query }) => imageView(await promoteImage(cx, { ...path, ...query })),
  imageDemote: async (cx, { path, query }) => imageView(await demoteImage(cx, { ...path, ...query })),

  imageHardwareUpdate: async (cx, input) => imageView(await updateImageHardware(cx, input)),

  imageUploadList: (cx, { query }) => listUploads(cx, query),
  imageUploadCreate: (cx, { query, body }) => createUpload(cx, query, body),
  imageImportCreate: (cx, { query, body }) => createImport(cx, query, body),
  imageUploadView: (cx, { path }) => viewUpload(cx, path),
  imageUploadWrite: (cx, { path, query }) => writePiece(cx, path, query.offset),
  imageUploadZeros: (cx, { path, body }) => writeZeros(cx, path, body.ranges),
  imageUploadComplete: (cx, { path }) => completeUpload(cx, path),
  imageUploadDelete: (cx, { path }) => deleteUpload(cx, path),
  imageFormatsView: (cx) => viewImageFormats(cx.services),
})
