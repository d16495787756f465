import { wholeBodies } from '@gantry/api/client/command-names.rules'
import type { Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import { expect, test } from 'vitest'
import { serverCommands } from '../cli/command-names.ts'
import { commandHelp, nounHelp } from './help.ts'
import { localCommands } from './main.ts'
import { commands, lineOf } from './operations.ts'

test('every operation of the newest version has one command', () => {
  const newest = Object.entries<Operation>(ops).filter(([, { until }]) => until === undefined)
  const expected = newest.map(([name]) => operationId(name))
  expect(commands.map(({ id }) => id).sort()).toEqual(expected.sort())
  const lines = commands.map(lineOf)
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([])
})

test('no operation hides a command of the program', () => {
  const own = new Set<string>([...serverCommands, ...Object.keys(localCommands)])
  expect(commands.filter(({ noun }) => own.has(noun)).map(lineOf)).toEqual([])
})

test('every command has help that names its request and fits a narrow terminal', () => {
  const broken = commands.filter((command) => {
    const help = commandHelp(command, { columns: 60 })
    const words = help.split('\n').filter((line) => /^ {6,}/.test(line))
    return (
      !help.includes(`Sends ${command.op.method} ${command.op.path}`) ||
      words.some((line) => line.length > 80)
    )
  })
  expect(broken.map(lineOf)).toEqual([])
  expect(nounHelp('disk', { columns: 80 })).toContain('  create ')
})

test('what an operation takes and answers comes from the contract', () => {
  const of = (id: string) => commands.find((command) => command.id === id)
  expect(of('disk_create')).toMatchObject({ takes: 'json', takesTags: true, isPaged: false, answers: 'json' })
  expect(of('disk_delete')).toMatchObject({ takes: undefined, canPlan: true, answers: 'nothing' })
  expect(of('instance_sorted_list')).toMatchObject({
    isPaged: true,
    op: { reads: expect.arrayContaining(['instance']) },
  })
  expect(of('image_upload_write')).toMatchObject({ takes: 'bytes' })
  expect(of('support_bundle_download')).toMatchObject({ answers: 'bytes' })
  expect(of('support_bundle_head')).toMatchObject({ answers: 'nothing' })
  expect(of('device_access_token')).toMatchObject({ takes: 'form', answers: 'json', isAnonymous: true })
  expect(of('instance_serial_console_stream')).toMatchObject({ answers: 'websocket' })
  expect(of('change_stream')).toMatchObject({ answers: 'events' })
  const size = of('disk_create')?.fields.find(({ name }) => name === 'size')
  expect(size).toMatchObject({ flag: 'size', type: 'bytes', isRequired: true, place: 'body' })
})

test('bodies without fields are known to be given as a whole', () => {
  const whole = commands.filter(
    ({ takes, fields }) => takes === 'json' && fields.every(({ place }) => place !== 'body'),
  )
  expect(whole.map(({ id }) => id).sort()).toEqual([...wholeBodies].map(operationId).sort())
})
