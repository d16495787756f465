import type { QueryClient } from '@tanstack/react-query'
import type { ImageUpload } from '../queries.ts'
import { fingerprintOf } from './fingerprint.ts'
import { holdUpload, type UploadRecord, uploadRecords } from './browser-uploads.ts'
import { launch } from './launch.tsx'
import { resumableClient } from './clients.ts'
import { resumableFlow } from './resumable-flow.ts'
import { type Source, sourceOf } from './source.ts'
import { UploadTask } from './task.ts'

/** Why an upload cannot resume; shown beside it. */
class CannotResume extends Error {}

/** Resumes an interrupted upload. Returns why it cannot, for another file or because another tab runs it. */
export async function resumeWithFile(
  queryClient: QueryClient,
  project: string,
  upload: ImageUpload,
  record: UploadRecord,
  file: File,
): Promise<string | undefined> {
  const source = sourceOf(file)
  if (file.size !== upload.size || (await fingerprintOf(source)) !== record.fingerprint)
    return `This is not the file that the upload started with (${record.fileName}).`
  return resume(queryClient, project, upload, source, file.name)
}

/** All bytes have arrived, so this needs no file. */
export const finish = (
  queryClient: QueryClient,
  project: string,
  upload: ImageUpload,
): Promise<string | undefined> => {
  const nothing = (): never => {
    throw new Error('every byte is there')
  }
  const source = { size: upload.size, read: nothing, release: nothing, part: nothing }
  return resume(queryClient, project, upload, source, upload.name)
}

async function resume(
  queryClient: QueryClient,
  project: string,
  { id, name, size, format }: ImageUpload,
  source: Source,
  fileName: string,
): Promise<string | undefined> {
  try {
    await launch(queryClient, async (closed) => {
      if (!(await holdUpload(id, closed))) throw new CannotResume('This upload runs in another tab.')
      const client = resumableClient(project, source)
      const converts = format !== 'raw' && typeof format === 'string'
      const flow = resumableFlow({ client, source, id, converts, onEnded: uploadRecords.forget })
      return new UploadTask({ project, name, fileName, size }, flow)
    })
  } catch (error) {
    if (error instanceof CannotResume) return error.message
    throw error
  }
  return undefined
}
