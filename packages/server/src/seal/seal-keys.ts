import { createHash } from 'node:crypto'
import { Mistake } from '../cli/values.ts'

const KEY_BYTES = 32

/** A sealing key. Its id is stored with each sealed text, so that several keys can open. */
export interface SealKey {
  id: string
  bytes: Buffer
}

/** One key per line or word; the first one seals, and all of them open. */
export function parseKeys(from: string, text: string): SealKey[] {
  const words = text.split(/[\s,]+/).filter(Boolean)
  if (words.length === 0) throw new Mistake(`${from} holds no key. Make one with: openssl rand -base64 32`)
  return words.map((word, index) => {
    const bytes = Buffer.from(word, 'base64')
    if (bytes.length === KEY_BYTES && bytes.toString('base64') === word)
      return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes }
    throw new Mistake(
      `${from}: key ${index + 1} is not ${KEY_BYTES} bytes in base64. Make one with: openssl rand -base64 ${KEY_BYTES}`,
    )
  })
}
