import { expect, test } from 'vitest'
import type { Operation } from '../op.ts'
import { ops } from '../registry.ts'
import { commandOf, flagOf } from './command-names.rules.ts'

const lineOf = (name: string): string => `${commandOf(name).noun} ${commandOf(name).verb}`.trim()

test.each([
  ['projectCreate', 'project create'],
  ['instanceDiskAttach', 'instance-disk attach'],
  ['sledListUninitialized', 'sled list-uninitialized'],
  ['systemUpdateTrustRootCreate', 'system-update-trust-root create'],
  ['networkingBgpStatus', 'networking-bgp status'],
  ['instanceSortedList', 'instance list'],
  ['instanceList', 'instance list-plain'],
  ['instance_serial_console', 'instance serial-console'],
  ['loginLocal', 'sign-in local'],
  ['loginSiloList', 'login-silo list'],
  ['ping', 'ping'],
])('%s is gantry %s', (name, command) => expect(lineOf(name)).toBe(command))

test('every operation has a command of its own, whose words can be typed', () => {
  const lines = Object.keys(ops).map(lineOf)
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([])
  expect(lines.filter((line) => !/^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)?$/.test(line))).toEqual([])
})

test('a noun is never a command of one word as well', () => {
  const commands = Object.keys(ops).map(commandOf)
  const single = commands.filter(({ verb }) => verb === '').map(({ noun }) => noun)
  const nouns = new Set(commands.filter(({ verb }) => verb !== '').map(({ noun }) => noun))
  expect(single).not.toEqual([])
  expect(single.filter((noun) => nouns.has(noun))).toEqual([])
})

const fieldsOf = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})

test('the options of an operation differ from each other', () => {
  const clashes = Object.entries<Operation>(ops).flatMap(([name, { pathParams, query, body }]) => {
    const flags = [
      ...fieldsOf(pathParams).map((field) => flagOf('path', field)),
      ...fieldsOf(query).map((field) => flagOf('query', field)),
      ...fieldsOf(body).map((field) => flagOf('body', field)),
    ]
    return flags.filter((flag, at) => flags.indexOf(flag) !== at).map((flag) => `${name} --${flag}`)
  })
  expect(clashes).toEqual([])
  expect(flagOf('query', 'tag')).toBe('query-tag')
})
