import { expect, test } from 'vitest'
import whole from '../openapi.ext.json' with { type: 'json' }
import reference from '../openapi.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { snakeKey } from './client/camel.ts'
import { operationsModules } from './generate.ts'
import { openapiDocuments } from './openapi.ts'
import { operationId, ops } from './registry.ts'
import { components } from './schema.ts'
import { documentOf, type WholeDocument } from './versions/document.ts'
import { versions } from './versions/version.rules.ts'
import * as uint from './base/uint.ts'

test('the committed documents match the contract (else: npm run generate)', () => {
  const made: unknown = JSON.parse(JSON.stringify(openapiDocuments(manifest.version)))
  expect(made).toEqual({ 'openapi.json': reference, 'openapi.ext.json': whole })
})

test('the operations of the console are up to date (else: npm run generate)', () => {
  const files = import.meta.glob<string>('./client/**/*.gen.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const made = Object.entries(operationsModules()).map(([name, text]) => [`./client/${name}`, text])
  expect(files).toEqual(Object.fromEntries(made))
})

test("the client derives an operation's id like the contract", () => {
  for (const name of Object.keys(ops)) expect(snakeKey(name)).toBe(operationId(name))
})

test('plain numbers have no name that another field gave them', () => {
  expect(Object.values(uint).map((schema) => components.get(schema))).toEqual(
    Object.values(uint).map(() => undefined),
  )
})

test.each(versions)('every reference in the documents of version %s resolves', (version) => {
  const document = documentOf(whole as unknown as WholeDocument, version)
  const names = Object.keys(document.components.schemas)
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1],
  )
  expect(references.filter((name) => !names.includes(name ?? ''))).toEqual([])
})

test('no two operations of a version share an id', () => {
  for (const version of versions) {
    const { paths } = documentOf(whole as unknown as WholeDocument, version)
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  }
})

test("an operation has the reference's name", () => {
  expect(operationId('instanceSshPublicKeyList')).toBe('instance_ssh_public_key_list')
})

test('the role of limited collaborators is in the later document, and nowhere on the fleet', () => {
  const rolesIn = ({ components: { schemas } }: { components: { schemas: object } }) =>
    ['ProjectRole', 'SiloRole', 'FleetRole'].map((name) =>
      (schemas as Record<string, { enum: string[] }>)[name]?.enum.join(' '),
    )
  const base = 'admin collaborator viewer'
  const later = 'admin collaborator limited_collaborator viewer'
  expect(rolesIn(reference)).toEqual([base, base, base])
  expect(rolesIn(whole)).toEqual([later, later, base])
})
