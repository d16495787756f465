import { z } from 'zod'
import { editions, type EmptyList, emptyLists, laterIdOf, laterPathOf } from './edition.rules.ts'
import { emptyListItems, laterComponents, laterRequests } from './later-components.ts'
import { laterFields } from './later-fields.ts'
import { laterEnums } from './later-values.ts'
import { downgraded, type Json, refTo } from '../reference-document.ts'

interface Document {
  info: Json
  paths: Record<string, Record<string, Json>>
  components: { schemas: Json }
}

/** The description of the later edition: the base edition, moved and extended. */
export function laterDocument({ info, paths, components, ...rest }: Document & Json) {
  const { schemas } = components
  return {
    ...rest,
    info: { ...info, version: editions.later },
    paths: Object.fromEntries(
      [
        ...Object.entries(paths).map(([path, item]): [string, Json] => [
          laterPathOf(path),
          Object.fromEntries(Object.entries(item).map(([method, op]) => [method, renamed(op)])),
        ]),
        ...emptyLists.map(({ id, path, like }): [string, Json] => [
          path,
          { get: listed(id, paths[like]?.['get']) },
        ]),
      ].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    components: {
      ...components,
      schemas: {
        ...schemas,
        ...laterComponents,
        ...laterEnums,
        ...laterRequests(schemas),
        ...extended(schemas),
      },
    },
  }
}

/** A list that is empty here, described like the one whose parameters it has. */
function listed(id: EmptyList, like: Json | undefined): Json {
  const schema = { $ref: refTo(`${emptyListItems[id]}ResultsPage`) }
  const content = { 'application/json': { schema } }
  const responses = { ...(like?.['responses'] as Json), '200': { description: 'Success', content } }
  const what = id.includes('external_subnet') ? 'external subnets' : 'subnet pools'
  return { ...like, operationId: id, summary: `List ${what}: there are none`, responses }
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
