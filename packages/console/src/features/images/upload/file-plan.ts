import { GiB, shownBytes } from '@gantry/api/base/bytes.rules'
import {
  convertFirst,
  type ImageFormat,
  isCompression,
  isPacked,
  nounOf,
} from '@gantry/api/storage/image-format.rules'
import type { ImageProblem } from '@gantry/api/storage/image-header.rules'
import type { ImageFormats } from './queries.ts'
import type { Probe } from './file-hints.ts'

/** The plan for a file that is not raw. */
export interface FilePlan {
  /** How it is declared to the server. */
  format: ImageFormat
  title: string
  text: string
  /** Why it cannot be uploaded like this. */
  problem?: ImageProblem
}

/** Undefined for a raw image, to which nothing happens. `formats` is undefined until the server has answered. */
export function planOf(
  { kind, header }: Pick<Probe, 'kind' | 'header'>,
  formats: ImageFormats | undefined,
  keepsBytes: boolean,
): FilePlan | undefined {
  if (kind === 'raw') return undefined
  const title = `This is ${nounOf(kind)}`
  if (keepsBytes)
    return { format: 'raw', title, text: 'Its bytes are kept as they are. Disks made from it do not boot.' }
  const refused = (message: string, help: string): FilePlan => ({
    format: 'raw',
    title,
    text: `${message}. ${help}`,
    problem: { message: `${message}.`, help },
  })
  if (!isPacked(kind)) return refused('It is not converted to a raw image', convertFirst(kind))
  if (header?.problem)
    return {
      format: kind,
      title,
      text: `${header.problem.message} ${header.problem.help}`,
      problem: header.problem,
    }
  const whyNot = formats?.formats.find(({ format }) => format === kind)?.whyNot
  if (whyNot) return refused(whyNot, convertFirst(kind))
  if (isCompression(kind))
    return {
      format: kind,
      title,
      text: 'The server unpacks it to a raw image, whose size is known then.',
    }
  const size = header?.size ?? 0
  if (formats && size > formats.maxSize)
    return refused(
      `Its disk has ${shownBytes(size)}, and this server converts at most ${shownBytes(formats.maxSize)}`,
      'Shrink the disk first, or ask the operator to raise the limit.',
    )
  return {
    format: kind,
    title,
    text: `The server converts it to a raw image of ${shownBytes(size)}. Disks made from it need at least ${Math.ceil(size / GiB)} GiB.`,
  }
}
