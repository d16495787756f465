import { privateKeyIn } from '@gantry/api/base/private-key.rules'
import { Failure } from '#/data/failure.ts'

/** The bytes of a file that the user selected, or a part of it. Browsers refuse to read one that has changed since. */
export async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    const isGone = error instanceof DOMException && error.name === 'NotFoundError'
    throw refusal(
      isGone
        ? 'The file was moved or deleted since it was chosen'
        : 'The file was changed since it was chosen',
      'Choose it again.',
    )
  }
}

export const textOf = async (file: Blob): Promise<string> => new TextDecoder().decode(await bytesOf(file))

/**
 * The bytes of a file that others may read, or of a text that was typed instead. Refuses a private key before it is
 * sent; `label` is the field's.
 */
export async function publicBytesOf(
  file: Blob,
  label: string,
  noun: 'file' | 'text' = 'file',
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await bytesOf(file)
  // Host keys of cloud-init stand further on.
  const [line = ''] = new TextDecoder()
    .decode(bytes.subarray(0, beginningBytes))
    .trimStart()
    .split(/[\r\n]/, 1)
  const secret = privateKeyIn(line)
  if (secret === undefined) return bytes
  throw refusal(
    `${label}: this ${noun} is ${secret}`,
    `It was not sent. ${noun === 'file' ? 'Choose another file' : 'Remove it'}.`,
  )
}

/** Where a file that is itself a key has its first line. */
const beginningBytes = 512

const refusal = (message: string, help: string): Failure =>
  new Failure({ message, errorCode: 'FileUnreadable', statusCode: 0, help })
