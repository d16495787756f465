import { z } from 'zod'
import { laterIdOf, laterPathOf } from './edition.rules.ts'
import { laterFields } from './later-fields.ts'
import { downgraded, type Json } from './reference-document.ts'

interface Document {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Json }
}

/** The description of the later edition: the base edition, moved and extended. */
export function laterDocument({ paths, components, ...rest }: Document & Json) {
  return {
    ...rest,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        laterPathOf(path),
        Object.fromEntries(Object.entries(item).map(([method, op]) => [method, renamed(op)])),
      ]),
    ),
    components: { ...components, schemas: { ...components.schemas, ...extended(components.schemas) } },
  }
}

const renamed = (op: Json): Json => ({ ...op, operationId: laterIdOf(String(op['operationId'])) })

function extended(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(laterFields).map(([name, fields]) => {
      const schema = schemas[name] as { properties: Json; required?: string[] }
      const added = downgraded(z.toJSONSchema(fields)) as { properties: Json; required?: string[] }
      const required = [...(schema.required ?? []), ...(added.required ?? [])].sort()
      return [name, { ...schema, properties: { ...schema.properties, ...added.properties }, required }]
    }),
  )
}
