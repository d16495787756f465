import { expect, test } from 'vitest'
import committed from '../openapi.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { snakeKey } from './client/camel.ts'
import { operationsModules } from './generate.ts'
import { openapiDocument } from './openapi.ts'
import { operationId, ops } from './registry.ts'

test('the committed document is what the contract says now (else: npm run openapi)', () => {
  expect(JSON.parse(JSON.stringify(openapiDocument(manifest.version)))).toEqual(committed)
})

test('the operations of the console are fresh (else: npm run openapi)', () => {
  const files = import.meta.glob<string>('./client/**/*.gen.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const made = Object.entries(operationsModules()).map(([name, text]) => [`./client/${name}`, text])
  expect(files).toEqual(Object.fromEntries(made))
})

test('the client spells the id of an operation like the contract', () => {
  for (const name of Object.keys(ops)) expect(snakeKey(name)).toBe(operationId(name))
})

test('every reference in the document points at something', () => {
  const names = Object.keys(committed.components.schemas)
  const references = [...JSON.stringify(committed).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    (match) => match[1],
  )
  expect(references.filter((name) => !names.includes(name ?? ''))).toEqual([])
})

test('no two operations share a method and a path', () => {
  const keys = Object.values(ops).map((op) => `${op.method} ${op.path}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('an operation is named as in the reference', () => {
  expect(operationId('instanceSshPublicKeyList')).toBe('instance_ssh_public_key_list')
})
