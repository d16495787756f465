import { expect, test } from 'vitest'
import { ownField, referenceDocument } from './reference-document.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const nothing = { type: 'null' }

/** The document's version of a response schema. */
function made(schema: object): unknown {
  const op = { tags: ['things'], security: [], parameters: [], responses: { 200: { schema } } }
  const document = referenceDocument({
    info: {},
    paths: { '/v1/things': { get: op } },
    components: { schemas: { A: {}, B: {}, Thing: {} } },
  })
  return Object.entries(document['paths'] as Record<string, { get: typeof op }>)[0]?.[1].get.responses[200]
    .schema
}

test.each([
  ['a text or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'a bounded number or null',
    { anyOf: [{ type: 'integer', minimum: 1 }, nothing] },
    { type: 'integer', minimum: 1, nullable: true },
  ],
  ['a component or null', { anyOf: [ref('Thing'), nothing] }, { nullable: true, allOf: [ref('Thing')] }],
  ['one of two', { anyOf: [ref('A'), { type: 'string' }] }, { oneOf: [ref('A'), { type: 'string' }] }],
  [
    'one of two or null',
    { anyOf: [ref('A'), ref('B'), nothing] },
    { oneOf: [ref('A'), ref('B')], nullable: true },
  ],
  ['a component with a default', { ...ref('A'), default: {} }, { default: {}, allOf: [ref('A')] }],
  ['one value', { type: 'string', const: 'blank' }, { type: 'string', enum: ['blank'] }],
  ['sizes', { type: 'number', enum: [512, 4096] }, { type: 'integer', enum: [512, 4096] }],
  [
    'a map',
    { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} },
    { type: 'object', additionalProperties: {} },
  ],
  [
    'an object with a field of ours, and others of every name',
    {
      type: 'object',
      properties: { own: { type: 'string', [ownField]: true }, const: { type: 'string' }, anyOf: {} },
      required: ['const', 'anyOf'],
    },
    { type: 'object', properties: { const: { type: 'string' }, anyOf: {} }, required: ['anyOf', 'const'] },
  ],
])('%s in OpenAPI 3.0', (_, schema, expected) => expect(made(schema)).toEqual(expected))

const query = (schema: object) => ({ in: 'query', name: 'filter', required: false, schema })
test('our own operations, and components that only they use, are omitted', () => {
  const at = (tags: string[], more: object = {}) => ({
    tags,
    parameters: [],
    responses: { 200: { schema: ref('Thing') }, '4XX': {} },
    ...more,
  })
  const { paths, components } = referenceDocument({
    info: {},
    paths: {
      '/v1/things': {
        get: at(['things'], { parameters: [query({ anyOf: [ref('Sort'), nothing] })] }),
        post: at(['extensions']),
      },
      '/ext/v1/things': { get: at(['things'], { responses: { 200: { schema: ref('Own') } } }) },
    },
    components: { schemas: { Thing: ref('Part'), Part: {}, Sort: {}, Own: {}, Error: {} } },
  }) as { paths: unknown; components: { schemas: object } }
  const responses = { 200: { schema: ref('Thing') }, '4XX': { $ref: '#/components/responses/Error' } }
  const parameters = [{ in: 'query', name: 'filter', schema: ref('Sort') }]
  expect(paths).toEqual({ '/v1/things': { get: { tags: ['things'], parameters, responses } } })
  expect(Object.keys(components.schemas)).toEqual(['Thing', 'Part', 'Sort', 'Error'])
})
