import type { z } from 'zod'

type Check = z.core.$ZodCheckMaxLengthDef

/** The maximum length in a text or list schema, with its error message; undefined without one. */
export function maxLengthOf(schema: z.ZodType): Check | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- zod documents this part for libraries and has no other reader
  const defs = schema.def.checks?.map((check) => check._zod.def) ?? []
  return defs.find((def): def is Check => def.check === 'max_length')
}
