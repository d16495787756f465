import * as op from '@gantry/api/client/operations.gen'
import { type ImageFormat, packedFormats } from '@gantry/api/storage/image-format.rules'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { Failure } from '#/data/failure.ts'
import type { Fallback } from '#/data/fallback.ts'
import { opQuery } from '#/data/queries.ts'
import { probe } from './file-hints.ts'
import { planOf } from './file-plan.ts'

export const probeOf = (file: File) =>
  queryOptions({
    queryKey: ['file-probe', file.name, file.size, file.lastModified],
    queryFn: () => probe(file),
  })

/** A server of the reference API keeps the bytes of every image, and fetches none. */
const noneConverted: Fallback<'imageFormatsView'> = async () => ({
  data: {
    formats: packedFormats.map((format) => ({ format, whyNot: 'This server does not convert images' })),
    maxSize: 0,
    fetch: { whyNot: 'This server fetches no files from URLs', maxSize: 0 },
  },
  etag: undefined,
})
export const imageFormatsHere = opQuery(op.imageFormatsView, {}, noneConverted)

/** The format to declare. Throws the reason if the file cannot be uploaded. */
export async function formatOf(
  queryClient: QueryClient,
  file: File,
  keepsBytes: boolean,
): Promise<ImageFormat> {
  const found = await queryClient.ensureQueryData(probeOf(file))
  if (found.kind === 'raw') return 'raw'
  const plan = planOf(found, await queryClient.ensureQueryData(imageFormatsHere), keepsBytes)
  if (plan?.problem) throw new Failure({ ...plan.problem, errorCode: 'InvalidRequest', statusCode: 400 })
  return plan?.format ?? 'raw'
}
