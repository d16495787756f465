import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileBlocks } from '../../blocks/blocks-files.ts'
import { lockHolder } from '../../database/data-dir-lock.ts'
import { cleanHost, linesOf } from '../../fleet/qemu/host/clean.ts'
import { openQemuFleet } from '../../fleet/qemu/fleet.ts'
import { fleetFolder } from '../../fleet/qemu/host/folders.ts'
import { announceShutdown, cancelShutdown, runningMachines } from '../../fleet/qemu/host/host-shutdown.ts'
import { Problem, sentence } from '../../problem.ts'
import { freeSpace } from '../../space/free-space.ts'
import { type Command, commonHelp } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import { dataDirOf, Mistake } from '../values.ts'

const actions = ['shut-down', 'continue', 'clean'] as const

// Not an interface, which the declarations of the registry could not name.
type FleetOptions = {
  action: (typeof actions)[number]
  dataDir: string
  waitSeconds: number
  clean: { tag: string | undefined; isDryRun: boolean; isConfirmed: boolean }
}

const waitMax = 3600

export const fleet: Command<FleetOptions> = {
  summary: 'shuts down the real machines of this host, lets them start again, or cleans up after them',
  help: `Usage: gantry fleet shut-down [options]
       gantry fleet continue [options]
       gantry fleet clean [options]

shut-down presses the power button of every machine and waits until their guests have shut down; a
machine that still runs at the end of the wait loses its power. No machine starts meanwhile. The
machines start again in order once the host has restarted, or after gantry fleet continue.

clean removes from the host what an installation left there when its server no longer runs: networks
of machines with their rules, routes and processes, and forwarding that was off before. It lists all
of it and asks first. Data, and what other installations have on the host, stay as they are. It also
works once the data directory is gone; machines of it that still run then lose their power.

Options:
  --data-dir FOLDER    where the disks of machines are kept (./data)
  --wait SECONDS       how long guests may take (90)
  --tag TAG            clean: the installation, by the six digits in the names of its links
  --dry-run            clean: lists what would be removed
  --yes                clean: does not ask
${commonHelp}
Environment:
  GANTRY_DATA_DIR      the same as the option, which takes precedence
`,
  flags: {
    'data-dir': { type: 'string' },
    wait: { type: 'string' },
    tag: { type: 'string' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  operand: 'ACTION',
  read({ text, isSet }, env, word) {
    const options = {
      dataDir: dataDirOf(text('data-dir'), env),
      waitSeconds: secondsOf(text('wait') ?? '90'),
      clean: {
        tag: tagOf(text('tag')),
        isDryRun: isSet('dry-run') ?? false,
        isConfirmed: isSet('yes') ?? false,
      },
    }
    const action = actions.find((known) => known === word)
    const { tag, isDryRun, isConfirmed } = options.clean
    if (action && action !== 'clean' && (tag !== undefined || isDryRun || isConfirmed))
      throw new Mistake(`--tag, --dry-run and --yes belong to gantry fleet clean.`)
    if (action) return { action, ...options }
    throw new Mistake(`gantry fleet takes one of ${actions.join(', ')}, and ${JSON.stringify(word)} is none.`)
  },
  run: (_program, { action, dataDir, waitSeconds, clean }) =>
    untilInterrupted(async (signal) => {
      const directory = fleetFolder(path.resolve(dataDir))
      if (action === 'clean') return cleanUp(directory, clean, signal)
      if (action === 'continue') return cancelShutdown(directory)
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

function tagOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{6}$/.test(text)) return text
  throw new Mistake(`--tag takes six hexadecimal digits, and ${JSON.stringify(text)} are none.`)
}

async function cleanUp(
  folder: string,
  { tag, isDryRun, isConfirmed }: FleetOptions['clean'],
  signal: AbortSignal,
): Promise<void> {
  let isDone = false
  await cleanHost({ folder, tag }, async (found) => {
    const lines = linesOf(found)
    const { installation, network } = found
    const of = installation.folder === undefined ? '' : `, ${installation.folder}`
    if (lines.length === 0) {
      process.stdout.write(`Nothing of the installation ${installation.tag}${of} is on this host.\n`)
      return false
    }
    process.stdout.write(`Of the installation ${installation.tag}${of}:\n${lines.join('\n')}\n`)
    if (network.forwardingOfOthers.length > 0)
      process.stdout.write(
        `Another installation needs forwarding on ${network.forwardingOfOthers.join(', ')}: it stays.\n`,
      )
    if (isDryRun) return false
    isDone = isConfirmed || (await isAgreed(signal))
    return isDone
  })
  if (isDone) process.stdout.write('All of it is removed.\n')
}

async function isAgreed(signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Problem('Nothing is removed: confirm with --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question('Remove all of this? [y/N] ', { signal })).trim())
  } finally {
    terminal.close()
  }
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
