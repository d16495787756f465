import { types } from 'pg'
import { parsers } from './values.js'

/** Array types whose elements need our own parsers, with their element types. */
const arraysOf: Record<number, number> = {
  1001: 17,
  1016: 20,
  1182: 1082,
  1115: 1114,
  1185: 1184,
  1231: 1700,
}

/** The package's types describe an older version of this function. */
const arrayParser = types.arrayParser as unknown as {
  create: (source: string, transform: (entry: string) => unknown) => { parse: () => unknown[] }
}

type Arguments = Parameters<typeof types.getTypeParser>

/** Parsers for PostgreSQL's texts: the same as for the embedded database, and otherwise those of `pg`. */
export const getTypeParser: typeof types.getTypeParser = (oid: Arguments[0], format?: Arguments[1]) => {
  const own = parsers[oid]
  if (own) return own
  const element = parsers[arraysOf[oid] ?? 0]
  if (element) return (text: string) => arrayParser.create(text, element).parse()
  return types.getTypeParser(oid, format)
}
