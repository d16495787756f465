import { breather } from '../context/pauses.ts'
import { pieceBytes } from './pieces.ts'

/** Values of a part that is written at once: some milliseconds' worth. */
const valuesAtOnce = 2000
/** Characters of text that count as one value. */
const charsPerValue = 100

interface LongText {
  pieces: Uint8Array[]
  /** In bytes. */
  length: number
}

/** The JSON of an answer. A large one is written in parts, between which others have their turn, and sent in pieces. */
export async function jsonText(value: unknown): Promise<string | LongText> {
  if (sizeOf(value, valuesAtOnce) < valuesAtOnce) return JSON.stringify(value)
  const pieces: Uint8Array[] = []
  const encoder = new TextEncoder()
  const breathe = breather()
  let length = 0
  let text = ''
  const flush = (): void => {
    const bytes = encoder.encode(text)
    pieces.push(bytes)
    length += bytes.length
    text = ''
  }
  for (const part of partsOf(value)) {
    text += part
    if (text.length >= pieceBytes) flush()
    await breathe()
  }
  if (pieces.length === 0) return text
  if (text !== '') flush()
  return { pieces, length }
}

/** The JSON of a value in parts, which together are what `JSON.stringify` writes. */
function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* listParts(value)
  else if (isPlain(value) && sizeOf(value, valuesAtOnce) >= valuesAtOnce) yield* objectParts(value)
  else yield JSON.stringify(value) ?? 'null'
}

function* listParts(list: readonly unknown[]): Generator<string> {
  yield '['
  let isFirst = true
  for (let from = 0; from < list.length;) {
    let size = 0
    let to = from
    while (to < list.length && size < valuesAtOnce) size += sizeOf(list[to++], valuesAtOnce)
    if (!isFirst) yield ','
    isFirst = false
    if (to === from + 1) yield* partsOf(list[from])
    else yield JSON.stringify(list.slice(from, to)).slice(1, -1)
    from = to
  }
  yield ']'
}

function* objectParts(value: object): Generator<string> {
  let before = '{'
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined || typeof inner === 'function') continue
    yield `${before}${JSON.stringify(key)}:`
    yield* partsOf(inner)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value)

/** How many values there are, counted up to a limit. */
function sizeOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charsPerValue)
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  if (Array.isArray(value)) {
    for (const inner of value) {
      size += sizeOf(inner, limit - size)
      if (size >= limit) return size
    }
    return size
  }
  for (const key in value) {
    size += sizeOf((value as Record<string, unknown>)[key], limit - size)
    if (size >= limit) return size
  }
  return size
}
