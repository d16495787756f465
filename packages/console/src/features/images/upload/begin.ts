import * as op from '@gantry/api/client/operations.gen'
import type { QueryClient } from '@tanstack/react-query'
import { call, type Send } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import { Failure } from '#/data/failure.ts'
import { allProjectImages } from '../queries.ts'
import { holdUpload, uploadRecords } from './browser-uploads.ts'
import { type ImageDetails, referenceClient, resumableClient } from './clients.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Flow } from './flow.ts'
import { launch } from './launch.tsx'
import { referenceFlow } from './reference-flow.ts'
import { resumableFlow } from './resumable-flow.ts'
import { sourceOf } from './source.ts'
import { UploadTask } from './task.ts'

/** Validates in advance, then starts the upload. Throws the reason if it cannot start. */
export async function beginUpload(
  queryClient: QueryClient,
  project: string,
  image: ImageDetails,
  file: File,
  send?: Send,
): Promise<UploadTask> {
  await refuseTakenName(queryClient, project, image.name)
  const about = { project, name: image.name, fileName: file.name, size: file.size }
  return launch(queryClient, async (closed) => {
    const flow = (await supportsResuming(project, image.name))
      ? await newResumable({ project, image, file, send }, closed)
      : referenceFlow({
          client: referenceClient(project, image, send),
          source: sourceOf(file),
          randomNumber: () => Math.floor(Math.random() * 100_000_000),
        })
    return new UploadTask(about, flow)
  })
}

async function newResumable(
  {
    project,
    image,
    file,
    send,
  }: { project: string; image: ImageDetails; file: File; send: Send | undefined },
  closed: Promise<void>,
): Promise<Flow> {
  const source = sourceOf(file)
  const fingerprint = await fingerprintOf(source)
  return resumableFlow({
    client: resumableClient(project, source, image, send),
    source,
    converts: image.format !== 'raw',
    onBegun(id) {
      uploadRecords.write(id, { fileName: file.name, fingerprint })
      void holdUpload(id, closed)
    },
    onEnded: uploadRecords.forget,
  })
}

const unfinished: ReadonlySet<string> = new Set(['open', 'fetching', 'copying', 'converting'])

const inUse = (message: string, help?: string): Failure =>
  new Failure({ message, errorCode: 'ObjectAlreadyExists', statusCode: 400, ...(help && { help }) })

async function refuseTakenName(queryClient: QueryClient, project: string, name: string): Promise<void> {
  const images = await queryClient.fetchQuery({ ...allProjectImages(project), staleTime: 0 })
  if (images.some((image) => image.name === name)) throw inUse('Image name already exists')
}

/** Whether this server supports resumable uploads. Throws if one of this name is waiting to resume. */
async function supportsResuming(project: string, name: string): Promise<boolean> {
  if (isAbsent(op.imageUploadList)) return false
  try {
    const { data } = await call(op.imageUploadList, { query: { project, limit: 1000 } })
    if (data.items.some((upload) => upload.name === name && unfinished.has(upload.state)))
      throw inUse('An unfinished upload already has this name', 'Resume or discard it in the list of images.')
    return true
  } catch (error) {
    if (isAbsent(op.imageUploadList)) return false
    throw error
  }
}
