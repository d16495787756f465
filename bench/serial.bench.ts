import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { watchOutput } from '../packages/server/src/fleet/qemu/serial/output-watch.ts'
import { processTime } from '../packages/server/src/fleet/qemu/host/processes.ts'
import { table } from './measure.ts'

const image = fileURLToPath(new URL('../dist/demo-image.qcow2', import.meta.url))
const bootMs = 180_000

/** A device for output beside the console by which the guest is told what to do. */
interface Device {
  what: string
  /** As the guest calls it. */
  name: string
  bytes: number
  options: (folder: string) => string[]
  /** To hear of output: of each event, or as the driver does. */
  watched?: 'events' | 'hints'
}

const logOf = (folder: string): string => path.join(folder, 'log')
const socketWithLog = (folder: string): string =>
  `socket,id=tried,path=${path.join(folder, 'tried')},server=on,wait=off,logfile=${logOf(folder)},logappend=on`
const uart = (folder: string): string[] => [
  '-chardev',
  socketWithLog(folder),
  '-device',
  'isa-serial,chardev=tried,index=1',
]
const devices: Device[] = [
  {
    what: '16550, output dropped',
    name: 'ttyS1',
    bytes: 2 ** 18,
    options: () => ['-chardev', 'null,id=tried', '-device', 'isa-serial,chardev=tried,index=1'],
  },
  { what: '16550, output in a log', name: 'ttyS1', bytes: 2 ** 18, options: uart },
  { what: '16550, each event of the log', name: 'ttyS1', bytes: 2 ** 18, options: uart, watched: 'events' },
  { what: '16550, hints at the log', name: 'ttyS1', bytes: 2 ** 18, options: uart, watched: 'hints' },
  {
    what: 'virtio console, hints at the log',
    name: 'hvc0',
    bytes: 2 ** 24,
    watched: 'hints',
    options: (folder) => [
      '-chardev',
      socketWithLog(folder),
      ...'-device virtio-serial-pci -device virtconsole,chardev=tried'.split(' '),
    ],
  },
]

/** How fast a guest with the demo image writes to a serial port and to a virtio console. */
export default async function measure(): Promise<void> {
  if (!existsSync(image)) {
    console.log('left out: npm run demo-image builds what it starts')
    return
  }
  const rows = []
  for (const device of devices) rows.push(await measureOne(device))
  table(rows)
}

async function measureOne(device: Device): Promise<Record<string, string>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gantry-serial-'))
  const isKvm = await stat('/dev/kvm').then(
    () => true,
    () => false,
  )
  const child = spawn(
    'qemu-system-x86_64',
    [
      ...'-nodefaults -no-user-config -display none -m 512 -machine q35,graphics=off,hpet=off'.split(' '),
      ...(isKvm ? '-accel kvm -cpu host' : '-accel tcg,tb-size=64 -cpu max').split(' '),
      '-drive',
      `file=${image},snapshot=on,if=virtio`,
      '-chardev',
      `socket,id=control,path=${path.join(folder, 'control')},server=on,wait=off`,
      ...'-device isa-serial,chardev=control,index=0'.split(' '),
      ...device.options(folder),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  let hints = 0
  try {
    const guest = await connected(path.join(folder, 'control'))
    await guest.says('login:')
    guest.type('root\n')
    await guest.says('# ')
    guest.type(`dd if=/dev/zero bs=4096 count=${device.bytes / 4096} 2>/dev/null | tr '\\0' x >/tmp/text\n`)
    guest.type('echo is "ready"\n')
    await guest.says('is ready')
    const watcher = watching(device, logOf(folder), () => hints++)
    const before = await processTime(child.pid ?? 0)
    const own = process.cpuUsage()
    const begin = performance.now()
    guest.type(`cat /tmp/text >/dev/${device.name}; echo is "written"\n`)
    await guest.says('is written')
    const seconds = (performance.now() - begin) / 1000
    const spent = (await processTime(child.pid ?? 0)) - before
    const { user, system } = process.cpuUsage(own)
    watcher?.close()
    return {
      device: device.what,
      'kB/s': (device.bytes / 1000 / seconds).toFixed(1),
      'µs of QEMU for a byte': (spent / 1000 / device.bytes).toFixed(2),
      'µs of the watcher for a byte': ((user + system) / device.bytes).toFixed(2),
      'hints for a thousand bytes': ((hints * 1000) / device.bytes).toFixed(1),
    }
  } finally {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

function watching(
  { watched }: Device,
  file: string,
  onOutput: () => void,
): { close: () => void } | undefined {
  if (watched === undefined) return undefined
  if (watched === 'events') return watch(file, onOutput)
  const hints = watchOutput(onOutput, (error) => {
    throw error
  })
  hints.add('tried', file)
  return hints
}

async function connected(file: string) {
  while (!existsSync(file)) await pause(50)
  const socket = net.connect(file)
  let said = ''
  socket.setEncoding('latin1').on('data', (text: string) => (said += text))
  socket.on('error', () => {})
  return {
    type: (text: string) => void socket.write(text),
    /** Waits for words after those that were found last. */
    async says(words: string): Promise<void> {
      for (const until = performance.now() + bootMs; performance.now() < until; await pause(2)) {
        const at = said.indexOf(words)
        if (at < 0) continue
        said = said.slice(at + words.length)
        return
      }
      throw new Error(`the guest did not say ${words}: ${said.slice(-500)}`)
    },
  }
}
