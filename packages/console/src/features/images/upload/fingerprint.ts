import { KiB } from '@gantry/api/base/bytes.rules'
import { sha256, toBase64 } from '#/kit/page/bytes.ts'
import type { Source } from './source.ts'

const samples = 16
const sampleBytes = 64 * KiB

/**
 * Identifies a file without reading all of it, by samples from the first byte to the last. Files that differ only
 * between the samples count as equal; a rebuilt image does not, because its partition table and dates differ.
 */
export async function fingerprintOf(source: Pick<Source, 'size' | 'read'>): Promise<string> {
  const step = Math.max(0, source.size - sampleBytes) / (samples - 1)
  const parts: Uint8Array[] = []
  for (let index = 0; index < samples; index++) {
    const offset = Math.floor(step * index)
    parts.push(await source.read({ offset, length: Math.min(sampleBytes, source.size - offset) }))
    if (step === 0) break
  }
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return toBase64(await sha256(bytes))
}
