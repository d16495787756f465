import fs from 'node:fs/promises'
import { z } from 'zod'
import {
  qemuLogFile,
  serialLogFile,
  socketsFolder,
} from '../../packages/server/src/fleet/qemu/machine/machine-folder.ts'
import { connectQmp } from '../../packages/server/src/fleet/qemu/machine/qmp.ts'
import { readRecord } from '../../packages/server/src/fleet/qemu/machine/record.ts'
import { machineFolderIn } from '../../packages/server/src/testing/qemu.ts'

/** Queries to QEMU; the second one about the processor shows whether it runs. */
const questions = [
  'info status',
  'info registers',
  'info chardev',
  'info block-jobs',
  'info registers',
  'info pic',
]

/**
 * Describes a machine that does not do what it should, for the message of a failed gate. No driver may be open: QEMU
 * answers one client at a time.
 */
export async function diagnosis(dataDir: string, id: string): Promise<string> {
  const folder = machineFolderIn(dataDir, id)
  const record = await readRecord(folder)
  const pid = record.process?.pid ?? 0
  const parts: [name: string, part: () => Promise<unknown>][] = [
    ['record', async () => record],
    ['serial log', async () => (await fs.stat(serialLogFile(folder))).size],
    ['QEMU log', () => fs.readFile(qemuLogFile(folder), 'utf8')],
    ['process', () => fs.readFile(`/proc/${pid}/stat`, 'utf8')],
    ['threads', () => threads(pid)],
    ['files', () => openFiles(pid)],
    ['QEMU', () => answers(socketsFolder(folder))],
  ]
  const told: string[] = []
  for (const [name, part] of parts) {
    const found = await part().catch((error: unknown) => String(error))
    told.push(`${name}: ${typeof found === 'string' ? found : JSON.stringify(found)}`)
  }
  return told.join('\n')
}

/** Of each thread: its name, what it waits for in the kernel, and its time. */
async function threads(pid: number): Promise<string[]> {
  const ids = await fs.readdir(`/proc/${pid}/task`)
  const read = (id: string, file: string): Promise<string> =>
    fs.readFile(`/proc/${pid}/task/${id}/${file}`, 'utf8').then(
      (text) => text.trim(),
      () => '?',
    )
  return Promise.all(
    ids.map(async (id) =>
      [await read(id, 'comm'), await read(id, 'wchan'), await read(id, 'schedstat')].join(' '),
    ),
  )
}

async function openFiles(pid: number): Promise<string[]> {
  const numbers = await fs.readdir(`/proc/${pid}/fd`)
  return Promise.all(
    numbers.map(async (number) => `${number} ${await fs.readlink(`/proc/${pid}/fd/${number}`)}`),
  )
}

async function answers(sockets: string): Promise<string> {
  const qmp = await connectQmp(sockets, { onEvent: () => {}, onEnd: () => {} })
  const said: string[] = []
  for (const question of questions) {
    said.push(
      `${question}:`,
      await qmp.ask(z.string(), 'human-monitor-command', { 'command-line': question }),
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  qmp.close()
  return said.join('\n')
}
