import * as op from '@gantry/api/client/operations.gen'
import { generateName } from '@gantry/api/base/name.rules'
import { call } from '#/data/client.ts'
import { holdUpload, type UploadRecord, uploadRecords } from '#/features/images/upload/browser-uploads.ts'
import { resumableClient } from '#/features/images/upload/clients.ts'
import { fingerprintOf } from '#/features/images/upload/fingerprint.ts'
import type { ImageUpload } from '#/features/images/upload/queries.ts'
import { resumableFlow } from '#/features/images/upload/resumable-flow.ts'
import { sourceOf } from '#/features/images/upload/source.ts'
import { UploadTask } from '#/features/images/upload/task.ts'
import { lastingCall } from '#/features/images/upload/retry.ts'
import { randomHex } from '#/kit/page/bytes.ts'

/** An upload that this browser began before. */
export interface Resumed {
  upload: ImageUpload
  record: UploadRecord
}

/** The upload of a file that holds an instance, which the server has read at its end. Returns why it cannot resume. */
export async function taskOf(
  project: string,
  file: File,
  resumed: Resumed | undefined,
  closed: Promise<void>,
): Promise<UploadTask | string> {
  const source = sourceOf(file)
  const fingerprint = await fingerprintOf(source)
  if (resumed) {
    const { upload, record } = resumed
    if (file.size !== upload.size || fingerprint !== record.fingerprint)
      return `This is not the file that the upload started with (${record.fileName}).`
    if (!(await holdUpload(upload.id, closed))) return 'This upload runs in another tab.'
  }
  const name = generateName(randomHex, nameOf(file.name))
  const flow = resumableFlow({
    client: {
      ...resumableClient(project, source),
      create: () =>
        lastingCall(op.imageUploadCreate, {
          query: { project },
          body: {
            name,
            description: '',
            os: '',
            version: '',
            blockSize: 512,
            size: source.size,
            purpose: 'instance',
          },
        }),
      // The file is whole: what it holds is shown by the next form.
      async complete(upload) {
        await call(op.instanceImportPlan, { path: { upload } })
        return { id: upload, state: 'done', received: [] }
      },
    },
    source,
    ...(resumed && { id: resumed.upload.id }),
    labels: ['Begin upload', 'Upload file', 'Read what it holds', 'File uploaded'],
    onBegun(id) {
      uploadRecords.write(id, { fileName: file.name, fingerprint })
      void holdUpload(id, closed)
    },
  })
  return new UploadTask({ project, name, fileName: file.name, size: file.size }, flow)
}

/** Tasks tell of the upload by the name of its file. */
const nameOf = (fileName: string): string =>
  fileName
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '') || 'instance'
