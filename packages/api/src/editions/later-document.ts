import { laterComponents, laterRequests } from './later-components.ts'
import type { Json } from '../reference-document.ts'

interface Document {
  components: { schemas: Json }
}

/** The description of a dated version: the base edition's requests in the shape that they have there. */
export function withLaterRequests<Whole extends Document>(document: Whole): Whole {
  const { schemas } = document.components
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...schemas, ...laterComponents, ...laterRequests(schemas) },
    },
  }
}
