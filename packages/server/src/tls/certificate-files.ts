import fs from 'node:fs/promises'
import { type Pair, pairProblem, plainPair, validityProblem } from './pair.ts'

export interface CertificateFiles {
  certFile: string
  keyFile: string
}

/** Reads a usable certificate and its key; otherwise throws a sentence that says what is wrong. */
export async function readCertificateFiles(
  { certFile, keyFile }: CertificateFiles,
  now: Date,
): Promise<Pair> {
  const [cert, key] = [await read('--tls-cert', certFile), await read('--tls-key', keyFile)]
  const pair = plainPair({ cert, key })
  const problem = pairProblem(pair) ?? validityProblem(pair, now)
  if (problem !== undefined) throw new Error(`${certFile}, ${keyFile}: ${problem}`)
  return pair
}

async function read(flag: string, file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `${flag}: ${file} cannot be read (${code}). Give a file that the user of the server may read.`,
      {
        cause,
      },
    )
  }
}
