import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '#src/testing/temporary-folder'
import { AGENT_SOCKET } from '../machine/arguments.ts'
import { AgentGone, AgentRefusal, converse } from './conversation.ts'
import { reportOf } from './report.ts'

/** For an agent that answers, on a busy host. */
const patient = { withinMs: 30_000, answerMs: 20_000 }
const quick = { withinMs: 1500, answerMs: 500 }
let server: net.Server | undefined
const sockets = new Set<net.Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
})

type Asked = { execute: string; arguments?: Record<string, unknown> }
/** An agent that answers as it likes. */
async function agentThat(
  answer: (asked: Asked, write: (text: string | Buffer) => void) => unknown,
  greets = '',
): Promise<string> {
  const folder = await temporaryFolder()
  server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (greets) socket.write(greets)
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1').replaceAll('\u00ff', '')
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const asked = JSON.parse(text.slice(0, end)) as Asked
        text = text.slice(end + 1)
        const isSync = asked.execute === 'guest-sync-delimited'
        const usual = { return: isSync ? asked.arguments?.['id'] : {} }
        const returned = answer(asked, (more) => void socket.write(more)) ?? usual
        if (returned === 'nothing') continue
        if (isSync) socket.write(Buffer.from([0xff]))
        socket.write(`${JSON.stringify(returned)}\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server?.listen(path.join(folder, AGENT_SOCKET), resolve))
  return folder
}
const ping = (folder: string, limits = quick) =>
  converse(folder, (agent) => agent.ask(z.object({}), 'guest-fsfreeze-status'), limits)

test('answers of an earlier conversation are passed over', async () => {
  const folder = await agentThat(() => undefined, '{"return": 7}\n{"error": {"desc": "x"}}\n{"half')
  await expect(ping(folder, patient)).resolves.toEqual({})
})

test('a refusal is told in words of one line', async () => {
  const folder = await agentThat(({ execute }) =>
    execute === 'guest-sync-delimited' ? undefined : { error: { class: 'X', desc: 'no\u001b[2J\nsuch' } },
  )
  await expect(ping(folder, patient)).rejects.toEqual(new AgentRefusal('no [2J such'))
})

test.each<[string, Parameters<typeof agentThat>[0]]>([
  ['says nothing', () => 'nothing'],
  ['answers no question', ({ execute }) => (execute === 'guest-sync-delimited' ? undefined : 'nothing')],
  [
    'answers with another shape',
    ({ execute }) => (execute === 'guest-sync-delimited' ? undefined : { return: 5 }),
  ],
  ['answers with no message', ({ execute }) => (execute === 'guest-sync-delimited' ? undefined : [])],
  [
    'sends a line without end',
    (_asked, write) => {
      for (let piece = 0; piece < 8; piece++) write(Buffer.alloc(64 * 1024, 'x'))
      return 'nothing'
    },
  ],
  [
    'sends lines without end',
    (_asked, write) => {
      for (let piece = 0; piece < 40; piece++) write(`${'x'.repeat(60_000)}\n`)
      return 'nothing'
    },
  ],
])('an agent that %s is given up', async (_, answer) => {
  await expect(ping(await agentThat(answer))).rejects.toBeInstanceOf(AgentGone)
})

test('a machine without a channel has no agent', async () => {
  await expect(ping(await temporaryFolder())).rejects.toBeInstanceOf(AgentGone)
})

test('a report holds what is well-formed, within bounds', async () => {
  const many = Array.from({ length: 100 }, (_, n) => ({
    'ip-address': `10.0.0.${n}`,
    prefix: 24,
  }))
  const answers: Record<string, unknown> = {
    'guest-info': {
      version: `9.2\u0007${'x'.repeat(1000)}`,
      supported_commands: [
        ...['guest-get-osinfo', 'guest-network-get-interfaces', 'guest-get-fsinfo', 'guest-exec'].map(
          (name) => ({ name, enabled: true }),
        ),
        { name: 'guest-fsfreeze-freeze', enabled: true },
        { name: 'guest-shutdown', enabled: false },
        { name: 5 },
      ],
    },
    'guest-get-osinfo': { 'pretty-name': '<b>Debian</b>\n', 'kernel-release': '6.1' },
    'guest-network-get-interfaces': [
      {
        name: 'eth0',
        'hardware-address': 'no address',
        'ip-addresses': [{ 'ip-address': 'evil"; drop', prefix: 24 }, ...many],
      },
      { name: 'eth1', 'hardware-address': '52:54:00:00:00:01' },
      'no interface',
    ],
    'guest-get-fsinfo': [
      { mountpoint: '/', type: 'ext4', 'used-bytes': 10, 'total-bytes': 20, disk: [] },
      { mountpoint: '/old', type: 'ext4', 'used-bytes': -5 },
    ],
  }
  const asked: string[] = []
  const folder = await agentThat(({ execute }) => {
    asked.push(execute)
    return execute === 'guest-sync-delimited' ? undefined : { return: answers[execute] }
  })
  const report = await converse(folder, reportOf, patient)
  expect(report).toMatchObject({
    hostname: null,
    os: '<b>Debian</b>',
    kernel: '6.1',
    offers: ['freeze'],
    is_truncated: true,
    file_systems: [
      { mount_point: '/', type: 'ext4', size: 20, used: 10 },
      { mount_point: '/old', type: 'ext4', size: null, used: null },
    ],
  })
  expect(report.agent_version).toHaveLength(128)
  expect(report.interfaces.map(({ name, mac, addresses }) => [name, mac, addresses.length])).toEqual([
    ['eth0', null, 15],
    ['eth1', '52:54:00:00:00:01', 0],
  ])
  expect(asked).not.toContain('guest-exec')
  await fs.rm(folder, { recursive: true })
})
