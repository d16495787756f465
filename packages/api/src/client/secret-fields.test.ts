import { expect, test } from 'vitest'
import description from '../../openapi.ext.json'
import { isSecretField } from './secret-fields.rules.ts'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

const schemas = description.components.schemas as unknown as Record<string, Schema>

/** Objects of a body, with the names of their fields. */
function objectsIn(schema: Schema, seen: ReadonlySet<string> = new Set()): string[][] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return seen.has(name) ? [] : objectsIn(schemas[name] ?? {}, new Set([...seen, name]))
  }
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf]
  return [Object.keys(properties), ...inner.flatMap((each) => objectsIn(each, seen))]
}

/** Names that sound like a secret, and hold none. */
const harmless = new Set([
  'credential_id',
  'device_token_max_ttl_seconds',
  'has_md5_auth_key',
  'key of a tag',
  'keys',
  'public_key',
  'signing_keypair',
  'ssh_public_keys',
])

test('every field of a request that sounds like a secret is one, or is known to be none', () => {
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods) as object[])
  const bodies = operations.flatMap((operation) => {
    const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: Schema }> } }
    return Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
  })
  const unknown = bodies
    .flatMap((schema) => objectsIn(schema))
    .flatMap((names) => {
      const beside = Object.fromEntries(names.map((name) => [name, '']))
      return names
        .filter((name) => /pass|secret|private|token|credential|(?:^|_)keys?(?:pair)?$/.test(name))
        .filter((name) => !isSecretField(name, beside))
        .map((name) => (name === 'key' && 'value' in beside ? 'key of a tag' : name))
    })
  expect([...new Set(unknown)].filter((name) => !harmless.has(name))).toEqual([])
  expect(bodies.length).toBeGreaterThan(100)
})

test.each([
  ['password', {}, true],
  ['password', { password: { mode: 'password', value: 'granite' } }, false],
  ['value', { mode: 'password' }, true],
  ['value', { key: 'env' }, false],
  ['key', { cert: '' }, true],
  ['key', { value: '' }, false],
  ['name', {}, false],
])('%s beside %o: %s', (name, beside, expected) => expect(isSecretField(name, beside)).toBe(expected))
