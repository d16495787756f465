import { ops } from './registry.ts'
import { createsTagged } from './tags/created-tags.rules.ts'
import { tagsHeader } from './tags/tags-header.rules.ts'

type Json = Record<string, unknown>
interface Document {
  paths: Record<string, Record<string, Json & { parameters?: Json[] }>>
}

const parameter: Json = {
  in: 'header',
  name: tagsHeader,
  description: 'Tags of what is created, encoded as a query: env=prod&team=web',
  required: false,
  schema: { type: 'string' },
}

/** Adds the header of tags to each operation that takes it. */
export function withTagsHeader<Whole extends Document>(whole: Whole): Whole {
  const paths = { ...whole.paths }
  for (const name of createsTagged) {
    const { path, method } = ops[name]
    const verb = method.toLowerCase()
    const asked = paths[path]?.[verb]
    if (!asked) continue
    paths[path] = {
      ...paths[path],
      [verb]: { ...asked, parameters: [...(asked.parameters ?? []), parameter] },
    }
  }
  return { ...whole, paths }
}
