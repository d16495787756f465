import fs from 'node:fs/promises'

/** Identifies a process among all that ever had its number. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in clock ticks since the host's start. */
  started: string
  /** The host's start. */
  boot: string
}

let boot: string | undefined

/** Differs after each start of the host, so that it stays the same for this process. */
export const bootId = async (): Promise<string> =>
  (boot ??= (await fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim())

/** The identity of a running process; undefined if there is none, or only its zombie. */
export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const stat = await statOf(pid)
  if (!stat || stat.state === 'Z' || stat.state === 'X') return undefined
  return { pid, started: stat.started, boot: await bootId() }
}

/** Whether it still runs: its number may belong to a zombie or another process by now. */
export async function isRunning({ pid, started, boot }: ProcessIdentity): Promise<boolean> {
  const now = await identityOf(pid)
  return now?.started === started && now.boot === boot
}

/** Kills a process, and resolves when it is gone. */
export async function endProcess(one: ProcessIdentity): Promise<void> {
  for (let tries = 0; await isRunning(one); tries++) {
    if (tries === GONE_TRIES) throw new Error(`The process ${one.pid} does not end.`)
    // It may end between these two steps.
    if (tries % 50 === 0) signalTo(one.pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, GONE_EVERY_MS))
  }
}
/** Ends a new process unless it is recorded, because it could not be found again. `record` resolves to whether it did. */
export async function recordOrEnd(
  started: ProcessIdentity,
  record: (started: ProcessIdentity) => Promise<boolean>,
): Promise<void> {
  let isRecorded = false
  try {
    isRecorded = await record(started)
  } finally {
    if (!isRecorded) await endProcess(started)
  }
}

const GONE_EVERY_MS = 20
/** A process that writes to a slow disk ends once the disk has answered. */
const GONE_TRIES = 1500

/** Sends a signal; a process that has ended meanwhile is no error. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Fields of `/proc/<pid>/stat` after the name, which may hold spaces and parentheses (`man 5 proc`). */
const field = { state: 0, userTime: 11, systemTime: 12, started: 19 } as const

export interface ProcessStat {
  state: string
  started: string
  /** Clock ticks of all its threads, including ended ones. */
  ticks: number
}

export function parseStat(text: string): ProcessStat | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, started] = [fields[field.state], fields[field.started]]
  const ticks = Number(fields[field.userTime]) + Number(fields[field.systemTime])
  return state && started ? { state, started, ticks } : undefined
}

const statOf = async (pid: number) => {
  const text = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(unlessGone)
  return text === undefined ? undefined : parseStat(text)
}

/** Reading that fails for lack of files or memory says nothing about the process. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error
}

/** The running processes visible to this process, with their command lines. */
export async function* runningProcesses(): AsyncGenerator<{ pid: number; words: string[] }> {
  for (const name of await fs.readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const command = await fs.readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command !== '') yield { pid: Number(name), words: command.split('\0') }
  }
}

/** Nanoseconds that a thread ran and waited to run, since its start; undefined if there is none. */
export async function threadTime(
  pid: number,
  thread: number | string,
): Promise<{ run: number; waiting: number } | undefined> {
  const text = await fs.readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '')
  const [run, waiting] = text.trim().split(' ').map(Number)
  return run === undefined || waiting === undefined || Number.isNaN(run) ? undefined : { run, waiting }
}

/** Nanoseconds that all threads of a process ran. */
export const processTime = async (pid: number): Promise<number> =>
  (((await statOf(pid))?.ticks ?? 0) / TICKS_PER_SECOND) * 1e9

/** Milliseconds since a process started, from the host's clock that never jumps. */
export async function ageOf({ started }: ProcessIdentity): Promise<number> {
  const [uptime = '0'] = (await fs.readFile('/proc/uptime', 'utf8')).split(' ')
  return Number(uptime) * 1000 - (Number(started) * 1000) / TICKS_PER_SECOND
}
/** `USER_HZ`, a constant of Linux for user programs. */
const TICKS_PER_SECOND = 100
