import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { Misshapen } from './format.ts'
import { Problem } from '../problem.ts'

/** The header of a file in the age format (age-encryption.org/v1). */
const HEAD = 'age-encryption.org/v1'

/**
 * Encrypts a stream with a passphrase in the age format: in pieces, each authenticated with its position and
 * whether it is the last. Any `age` can decrypt it.
 */
export async function encrypted(source: Readable, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return Readable.fromWeb(await asNode(encrypter.encrypt(asWeb(source))))
}

/** The decrypted bytes of a file, or the bytes themselves if it is not encrypted. */
export async function decrypted(
  file: string,
  source: Readable,
  passphrase: string | undefined,
): Promise<Readable> {
  const isEncrypted = await beginsEncrypted(file)
  if (isEncrypted && passphrase === undefined) {
    throw new Problem(
      `${file} is encrypted. Name the file of its passphrase with --passphrase-file, or set GANTRY_BACKUP_PASSPHRASE.`,
    )
  }
  if (!isEncrypted && passphrase !== undefined) {
    throw new Problem(
      `${file} is not encrypted, and might be the wrong file. Omit the passphrase to use it anyway.`,
    )
  }
  if (passphrase === undefined) return source
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const plain = await asNode(decrypter.decrypt(asWeb(source))).catch((cause: unknown) => {
    throw new Problem(
      `${file} does not open with this passphrase: it is of another one, or its first bytes are damaged. Nothing was restored.`,
      { cause },
    )
  })
  return Readable.from(pieces(plain), { objectMode: false })
}

async function* pieces(plain: WebStream): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of plain) yield piece as Uint8Array
  } catch (cause) {
    throw new Misshapen('a piece of it was changed or is missing', { cause })
  }
}

async function beginsEncrypted(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD.length), 0, HEAD.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === HEAD
  } finally {
    await handle.close()
  }
}

type WebStream = Parameters<typeof Readable.fromWeb>[0]

/** Node's web streams and the standard's are the same, but their types differ. */
const asWeb = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
const asNode = async (stream: Promise<ReadableStream<Uint8Array>>): Promise<WebStream> =>
  (await stream) as unknown as WebStream
