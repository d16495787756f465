import type { z } from 'zod'

type Check = z.core.$ZodCheckMaxLengthDef

/** The greatest length that a schema of a text or list takes, with the words for a longer one; undefined without one. */
export function maxLengthOf(schema: z.ZodType): Check | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- zod documents this part for libraries and has no other reader
  const defs = schema.def.checks?.map((check) => check._zod.def) ?? []
  return defs.find((def): def is Check => def.check === 'max_length')
}
