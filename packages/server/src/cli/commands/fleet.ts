import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileBlocks } from '../../blocks-files.ts'
import { lockHolder } from '../../database/data-dir-lock.ts'
import { openQemuFleet } from '../../fleet/qemu/fleet.ts'
import { fleetFolder } from '../../fleet/qemu/folders.ts'
import { announceShutdown, callOffShutdown, runningMachines } from '../../fleet/qemu/host-shutdown.ts'
import { Problem, sentence } from '../../problem.ts'
import { freeSpace } from '../../space/free-space.ts'
import { type Command, commonHelp } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import { dataDirOf, Mistake } from '../values.ts'

const actions = ['shut-down', 'continue'] as const

interface FleetOptions {
  action: (typeof actions)[number]
  dataDir: string
  waitSeconds: number
}

const waitMax = 3600

export const fleet: Command<FleetOptions> = {
  summary: 'shuts down the real machines of this host before the host, or lets them start again',
  help: `Usage: gantry fleet shut-down [options]
       gantry fleet continue [options]

shut-down presses the power button of every machine and waits until their guests have shut down; a
machine that still runs at the end of the wait loses its power. No machine starts meanwhile. The
machines start again in order once the host has restarted, or after gantry fleet continue.

Options:
  --data-dir FOLDER    where the disks of machines are kept (./data)
  --wait SECONDS       how long guests may take (90)
${commonHelp}
Environment:
  GANTRY_DATA_DIR      the same as the option, which takes precedence
`,
  flags: { 'data-dir': { type: 'string' }, wait: { type: 'string' } },
  operand: 'ACTION',
  read({ text }, env, word) {
    const options = {
      dataDir: dataDirOf(text('data-dir'), env),
      waitSeconds: secondsOf(text('wait') ?? '90'),
    }
    const action = actions.find((known) => known === word)
    if (action) return { action, ...options }
    throw new Mistake(`gantry fleet takes one of ${actions.join(', ')}, and ${JSON.stringify(word)} is none.`)
  },
  run: (_program, { action, dataDir, waitSeconds }) =>
    untilInterrupted(async (signal) => {
      const directory = fleetFolder(path.resolve(dataDir))
      if (action === 'continue') return callOffShutdown(directory)
      if (!existsSync(directory))
        throw new Problem(
          `${path.resolve(dataDir)} is not the data directory of a server with real machines.`,
        )
      await shutDown(dataDir, waitSeconds * 1000, signal)
    }),
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (/^\d+$/.test(text) && seconds <= waitMax) return seconds
  throw new Mistake(`--wait takes a number of seconds up to ${waitMax}, and ${JSON.stringify(text)} is none.`)
}

/** After the deadline, the time for the processes of machines to sync their disks and end. */
const END_MS = 20_000
const LOOK_MS = 200

async function shutDown(dataDir: string, waitMs: number, signal: AbortSignal): Promise<void> {
  const directory = fleetFolder(path.resolve(dataDir))
  const count = await runningMachines(directory)
  await sentence(announceShutdown(directory, new Date(Date.now() + waitMs)))
  const close = await withoutServer(path.resolve(dataDir))
  try {
    const until = performance.now() + waitMs + END_MS
    while ((await runningMachines(directory)) > 0) {
      signal.throwIfAborted()
      if (performance.now() > until)
        throw new Problem('Some machines still run: the server does not end them. See its log.')
      await sleep(LOOK_MS)
    }
  } finally {
    await close()
  }
  process.stdout.write(`${count} ${count === 1 ? 'machine is' : 'machines are'} shut down\n`)
}

/** If no server runs that would shut down the machines, this process does it. */
async function withoutServer(dataDir: string): Promise<() => Promise<void>> {
  if (await lockHolder(fleetFolder(dataDir))) return async () => {}
  const space = freeSpace(dataDir, 0)
  const blocks = await fileBlocks(path.join(dataDir, 'blocks'), space)
  const log = {
    info() {},
    warn() {},
    error: (_: object, message: string) => void process.stderr.write(`${message}\n`),
  }
  return (await sentence(openQemuFleet({ dataDir, log, space, blocks }))).close
}
