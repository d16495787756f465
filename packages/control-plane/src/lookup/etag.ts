import type { Cx } from '../context/cx.ts'
import { Refusal } from '../context/refusal.ts'

/**
 * Key under which a view carries its row's generation: JSON skips it, and the HTTP layer derives the ETag
 * from it.
 */
export const generationKey = Symbol('generation')

export const generationOf = (view: unknown): number | undefined =>
  typeof view === 'object' && view !== null
    ? (view as { [generationKey]?: number })[generationKey]
    : undefined

export const etagOf = (generation: number): string => `"${generation}"`

export const stale = (generation: number): Refusal =>
  new Refusal('PreconditionFailed', 'the object changed since it was read', {
    help: 'Review the current state, then try again.',
    details: { etag: etagOf(generation) },
  })

/**
 * Whether `If-Match`, if sent, matches this generation. A proxy that compresses an answer makes its tag weak, for
 * the bytes differ. The generation is still exact, so a weak tag counts like its strong one.
 */
export function isExpected(cx: Cx, generation: number): boolean {
  const wanted = cx.request.if_match?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return !wanted || wanted.includes('*') || wanted.includes(etagOf(generation))
}
