import { invalid } from '../context/refusal.ts'

export interface Span {
  start: number
  length: number
}

/**
 * The part of a file that a Range header asks for: undefined for all of it, `unsatisfiable` if the file has
 * no such part. Several ranges in one header are refused, as in the reference.
 */
export function spanOf(header: string | null, size: number): Span | 'unsatisfiable' | undefined {
  if (header === null) return undefined
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim())
  const [, first = '', last = ''] = match ?? []
  if (
    !match ||
    (first === '' && last === '') ||
    (first !== '' && last !== '' && Number(last) < Number(first))
  )
    throw invalid('Failed to parse range request header', 'Ask for one range, such as bytes=0-99.')
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return start >= size || end <= start ? 'unsatisfiable' : { start, length: end - start }
}
