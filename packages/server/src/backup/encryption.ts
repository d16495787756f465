import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { Misshapen } from './format.ts'
import { Problem } from './problem.ts'

/** How a file of the age format begins (age-encryption.org/v1). */
const HEAD = 'age-encryption.org/v1'

/**
 * The bytes of a stream, encrypted with a passphrase in the age format: in pieces, each authenticated together with its
 * place and whether it is the last. Any `age` decrypts it.
 */
export async function encrypted(source: Readable, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return Readable.fromWeb(await asNode(encrypter.encrypt(asWeb(source))))
}

/** The bytes of a file as they were before they were encrypted, if they were. */
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
      `${file} is not encrypted, and might be another file than you think. Leave out the passphrase to take it as it is.`,
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

/** Node's streams of the Web and the Web's own are alike, and their types are not. */
const asWeb = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
const asNode = async (stream: Promise<ReadableStream<Uint8Array>>): Promise<WebStream> =>
  (await stream) as unknown as WebStream
