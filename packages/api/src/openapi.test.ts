import { expect, test } from 'vitest'
import whole from '../openapi.ext.json' with { type: 'json' }
import reference from '../openapi.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { snakeKey } from './client/camel.ts'
import { operationsModules } from './generate.ts'
import { laterDocument } from './editions/later-document.ts'
import { openapiDocuments } from './openapi.ts'
import { operationId, ops } from './registry.ts'
import { components } from './schema.ts'
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

test.each([
  ['whole', whole],
  ['reference', reference],
  ['later', laterDocument(reference)],
])('every reference in the %s document resolves', (_, document) => {
  const names = Object.keys(document.components.schemas)
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1],
  )
  expect(references.filter((name) => !names.includes(name ?? ''))).toEqual([])
})

test('no two operations share a method and a path', () => {
  const keys = Object.values(ops).map((op) => `${op.method} ${op.path}`)
  expect(new Set(keys).size).toBe(keys.length)
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
  expect(rolesIn(laterDocument(reference))).toEqual([later, later, base])
  expect(rolesIn(whole)).toEqual([later, later, base])
})
