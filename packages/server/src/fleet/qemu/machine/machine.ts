import type { FileHandle } from 'node:fs/promises'
import { firstOf } from '@gantry/api/base/text.rules'
import type { Log } from '@gantry/control-plane/environment'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { z } from 'zod'
import { removeFolder } from '../host/durable-file.ts'
import { isFull } from '#src/space/full-volume'
import { boundedTurns } from '@gantry/control-plane/work/turns'
import { isUnattended } from '#src/database/reach'
import { shutDownByAgent } from '../agent/shut-down.ts'
import { endOf, nextStep } from './next-step.ts'
import type { ControlGroups } from '../host/control-groups.ts'
import type { Engine } from '../engine.ts'
import { openFirmware } from './firmware.ts'
import type { CdFiles } from './cd-files.ts'
import { launch } from './launch.ts'
import { StoredRecord } from './stored-record.ts'
import { socketsFolder } from './machine-folder.ts'
import { trimLogs } from './machine-logs.ts'
import { Monitor } from './monitor.ts'
import type { MachineNetworks } from '../network/machine-networks.ts'
import { bootId, endProcess, isRunning, type ProcessIdentity, recordOrEnd } from '../host/processes.ts'
import type { Qmp, QmpEvent } from './qmp.ts'
import { failure } from './reasons.ts'
import {
  type HeldDisk,
  hasEnded,
  heldDisks,
  type MachineEnd,
  type MachineRecord,
  reporting,
} from './record.ts'
import { returnReleased } from './plugs.ts'
import { MissingVolume, type VolumeFiles } from '../volumes/volume-files.ts'

/** The services that the machines of an installation share. */
export interface MachineHost {
  tag: string
  engine: Engine
  groups: ControlGroups
  networks: MachineNetworks
  volumes: VolumeFiles
  cds: CdFiles
  /** The deadline for guests while the host shuts down. */
  shutdown: () => Date | undefined
  /** Whether space above the reserve is so low that guests must not write. */
  isFull: () => Promise<boolean>
  /** Whether guests have space to write. */
  hasSpace: () => Promise<boolean>
  /** Limits concurrent starts, so that they do not slow down running machines. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  clock: () => Date
  log: Log
  /** A report is pending. */
  onReport: () => void
}

/** How often a machine is evaluated without events. */
const EVALUATE_MS = 3000
/** A guest that ignores the power button this often is asked through its agent, too. */
const PRESSES_IGNORED = 2
/** A booting guest misses the power button, so it is pressed again. */
const PRESS_MS = 5000
/** How long a machine waits for its network before it fails. */
const NETWORK_MS = 60_000
const RETRY_MS = 1000
/** The time for QEMU to quit, which syncs its disks. */
const QUIT_MS = 5000
/** How long a reboot by the guest is reported; its end is unknown. */
const GUEST_REBOOT_MS = 2000
/** The firmware may reset the machine again within this time after a reset. */
const OWN_RESET_MS = 10_000

const statusAnswer = z.object({ status: z.string().max(100) })
/** Events that trigger an evaluation. */
const wakingEvents: ReadonlySet<string> = new Set([
  'SHUTDOWN',
  'STOP',
  'RESUME',
  'GUEST_PANICKED',
  'BLOCK_IO_ERROR',
  'DEVICE_DELETED',
])

/**
 * Brings one machine to its wanted state, a step at a time. Each step begins with the actual state: it may be the
 * first of a new process, after any end of the previous one.
 */
export class Machine {
  readonly spec: MachineSpec
  readonly folder: string
  readonly #host: MachineHost
  readonly #record: StoredRecord
  readonly #monitor: Monitor
  #stepping: Promise<void> | undefined
  #isWoken = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #presses = 0
  /** Consecutive times that QEMU has not answered. */
  #unanswered = 0
  /** By `performance.now`. */
  readonly #lastAt = { press: -Infinity, reset: -Infinity, guestReboot: -Infinity, try: -Infinity }

  constructor(host: MachineHost, kept: { folder: string; spec: MachineSpec; record: MachineRecord }) {
    this.#host = host
    this.folder = kept.folder
    this.spec = kept.spec
    this.#record = new StoredRecord(kept.folder, kept.record, host.onReport)
    this.#monitor = new Monitor(socketsFolder(kept.folder), {
      event: (event) => this.#onEvent(event),
      end: () => this.wake(),
    })
  }

  /** It gets and releases disks one by one. */
  readonly plugInTurn = boundedTurns({ atOnce: 1, waiting: 100 })

  /** Copies of disks are sequential: QEMU has one scratch file. */
  readonly copyInTurn = boundedTurns({ atOnce: 1, waiting: 1000 })

  /** Conversations with the guest's agent are sequential: there is one channel. */
  readonly agentInTurn = boundedTurns({ atOnce: 1, waiting: 8 })

  get id(): string {
    return this.spec.id
  }

  get record(): MachineRecord {
    return this.#record.current
  }

  /** Those that its process may have open. */
  get disks(): readonly HeldDisk[] {
    return heldDisks(this.record, this.spec)
  }

  update(change: (was: MachineRecord) => MachineRecord): Promise<void> {
    return this.#record.update(change)
  }

  /** Evaluates the machine now, or right after the current step. */
  wake(): void {
    if (this.#isClosed) return
    if (this.#stepping) {
      this.#isWoken = true
      return
    }
    clearTimeout(this.#timer)
    this.#stepping = this.#steps()
  }

  /** Stops evaluating it; its process keeps running. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#stepping
    await this.#monitor.close()
    await this.#record.settled()
  }

  /** Ends and deletes it; its record says so first, so that another process continues after a crash. */
  async destroy(): Promise<void> {
    await this.update((was) => ({ ...was, destroyed: true })).catch((error: unknown) => {
      // Without space for the record it is destroyed nevertheless, which frees some.
      if (!isFull(error)) throw error
    })
    await this.close()
    const { process, tpm } = this.record
    for (const one of [process, tpm]) if (one) await endProcess(one)
    await this.#host.networks.detach(this.id)
    await this.#host.groups.remove(this.id)
    await removeFolder(this.folder)
  }

  /** Its process, if that runs. */
  async running(): Promise<ProcessIdentity | undefined> {
    const { process } = this.record
    return process && (await isRunning(process)) ? process : undefined
  }

  /** Its process with its monitor; undefined if the process is gone. */
  async connect(): Promise<{ process: ProcessIdentity; qmp: Qmp } | undefined> {
    const process = await this.running()
    return process && { process, qmp: await this.#monitor.connect() }
  }

  async #steps(): Promise<void> {
    let next = 0
    do {
      this.#isWoken = false
      try {
        next = await this.#step()
      } catch (error) {
        next = EVALUATE_MS
        this.#host.log.error({ err: error, machine: this.id }, 'a step of a machine failed and is repeated')
      }
    } while ((this.#isWoken || next === 0) && !this.#isClosed)
    this.#stepping = undefined
    if (!this.#isClosed && next < Infinity) this.#timer = setTimeout(() => this.wake(), next).unref()
  }

  /** Takes the next step, and returns the time until the one after it (ms). */
  async #step(): Promise<number> {
    if (this.record.process && this.#host.shutdown()) await this.#recordShutdown()
    const record = this.record
    if (record.destroyed) return Infinity
    if (hasEnded(record)) {
      if (record.process) await endProcess(record.process)
      return Infinity
    }
    if (!record.process) return this.#start()
    // Forced off: its guest may hang, so it is not involved.
    if (isForcedOff(record)) return this.#end(undefined, { state: 'stopped', by_guest: false, reason: null })
    try {
      const connected = await this.connect()
      if (!connected) return await this.#ended(endOf(record, await bootId(), this.#host.clock()))
      await trimLogs(this.folder, this.#record)
      const { qmp } = connected
      await returnReleased(this, qmp, this.#host)
      const { status } = await qmp.ask(statusAnswer, 'query-status')
      this.#unanswered = 0
      const isFull = await this.#host.isFull()
      return await this.#perform(qmp, nextStep(this.record, status, { now: this.#host.clock(), isFull }))
    } catch (error) {
      if (!(await this.running())) return 0
      return this.#unreachable(error)
    }
  }

  /** Records the host's shutdown, so that any later process knows why the guest shuts down. */
  #recordShutdown(): Promise<void> {
    const deadline = this.#host.shutdown()?.toISOString()
    return this.update((was) =>
      deadline === undefined || was.leaving || hasEnded(was) || was.end
        ? was
        : { ...was, leaving: { deadline } },
    )
  }

  /** Its process runs but misbehaves. */
  async #unreachable(error: unknown): Promise<number> {
    this.#host.log.error({ err: error, machine: this.id }, 'QEMU does not do what it should')
    // QEMU never closes its monitor itself.
    const status = isUnattended(error) ? 'internal-error' : 'unknown'
    const step = nextStep(this.record, status, { now: this.#host.clock(), isFull: false })
    if (step.do === 'end') return this.#end(undefined, step.end)
    // A busy host may miss one deadline.
    if (++this.#unanswered >= 2)
      await this.update((was) =>
        was.stop || was.leaving ? was : this.#reporting(was, 'running', 'not_responding'),
      )
    return EVALUATE_MS
  }

  async #perform(qmp: Qmp, step: ReturnType<typeof nextStep>): Promise<number> {
    switch (step.do) {
      case 'end':
        return this.#end(qmp, step.end)
      case 'continue':
        return this.#continue(qmp)
      case 'await-space':
        return this.#awaitSpace(qmp)
      case 'hold':
        await qmp.run('stop')
        return this.#awaitSpace(qmp)
      case 'press':
        return this.#pressPowerButton(qmp)
      case 'pause':
        await qmp.run('stop')
        await this.update((was) => ({ ...was, reboot: 'paused' }))
        return 0
      case 'reset':
        await qmp.run('system_reset')
        return 0
      case 'run':
        return this.#reportRunning()
      default:
        return step satisfies never
    }
  }

  async #start(): Promise<number> {
    if (this.record.stop) return this.#ended({ state: 'stopped', by_guest: false, reason: null })
    // It starts with the host, or once the shutdown is cancelled.
    if (this.#host.shutdown()) return EVALUATE_MS
    const { volumes, inTurn } = this.#host
    const contents = this.spec.disks.map(({ content_id }) => content_id)
    const { variables_id, tpm_id } = this.spec.hardware
    const taken = [...contents, ...[variables_id, tpm_id].filter((id) => id !== null)]
    return inTurn(async () => {
      // A copy of a disk may take hours; meanwhile other machines must start, and this one may be stopped.
      if (volumes.areTaken(taken)) return RETRY_MS
      return volumes.exclusively(taken, () => this.#launch())
    })
  }

  async #launch(): Promise<number> {
    const { engine, groups, networks, volumes, tag, clock } = this.#host
    const { user, changed_at } = this.record
    let network
    try {
      network = await networks.attach(this.spec, user ?? process.getuid?.() ?? 0)
    } catch (error) {
      if (clock().getTime() - new Date(changed_at).getTime() < NETWORK_MS) return RETRY_MS
      return this.#fail('network_missing', error)
    }
    try {
      const firmware = await openFirmware(this.spec.hardware, volumes)
      const opened: (FileHandle | undefined)[] = [...(firmware ?? [])]
      const closing = async (error: unknown): Promise<never> => {
        for (const file of opened) await file?.close()
        throw error
      }
      const disks = await volumes.openAll(this.spec.disks).catch(closing)
      opened.push(...disks)
      const cds = await this.#host.cds.openAll(this.spec.cds).catch(closing)
      const started = await launch({
        folder: this.folder,
        spec: this.spec,
        user,
        tag,
        engine,
        groups,
        network,
        disks,
        firmware,
        cds,
        volumes,
        monitor: this.#monitor,
      })
      const { tpm } = started
      await recordOrEnd(started.process, async (process) => {
        await this.update((was) => ({ ...was, process, tpm }))
        // A machine that has been destroyed meanwhile does not record it.
        return this.record.process === process
      })
      return 0
    } catch (error) {
      return this.#fail(error instanceof MissingVolume ? 'disk_missing' : 'start_failed', error)
    }
  }

  async #fail(code: 'network_missing' | 'disk_missing' | 'start_failed', error: unknown): Promise<number> {
    this.#host.log.warn({ err: error, machine: this.id }, 'a machine did not start')
    const details = { cause: firstOf((error as Error).message, 2000) }
    const reason = failure(code, this.#host.clock(), details)
    return this.#ended({ state: 'failed', by_guest: false, reason })
  }

  async #continue(qmp: Qmp): Promise<number> {
    this.#lastAt.reset = performance.now()
    await qmp.run('cont')
    return 0
  }

  async #pressPowerButton(qmp: Qmp): Promise<number> {
    const now = performance.now()
    if (now - this.#lastAt.press >= PRESS_MS) {
      this.#lastAt.press = now
      await qmp.run('system_powerdown')
      if (++this.#presses > PRESSES_IGNORED)
        void this.agentInTurn(() => shutDownByAgent(this.folder)).catch(() => {})
    }
    const { stop, leaving } = this.record
    const deadline = new Date((stop ?? leaving)?.deadline ?? 0).getTime()
    return Math.max(1, Math.min(EVALUATE_MS, deadline - this.#host.clock().getTime()))
  }

  async #awaitSpace(qmp: Qmp): Promise<number> {
    await this.update((was) => (was.stop ? was : this.#reporting(was, 'running', 'out_of_space')))
    // Avoids a loop that continues a guest whose writes keep failing.
    const left = this.#lastAt.try + EVALUATE_MS - performance.now()
    if (left > 0) return left
    this.#lastAt.try = performance.now()
    if (await this.#host.hasSpace()) await qmp.run('cont')
    // A guest that cannot write cannot shut down either.
    else if (this.record.stop) return this.#end(qmp, { state: 'stopped', by_guest: false, reason: null })
    return EVALUATE_MS
  }

  async #reportRunning(): Promise<number> {
    const { state, by_guest } = this.record
    const left = this.#lastAt.guestReboot + GUEST_REBOOT_MS - performance.now()
    if (state === 'rebooting' && by_guest && left > 0) return left
    await this.update((was) => {
      // A request since the evaluation began must survive it.
      if (was.stop || was.reboot === 'asked') return was
      const next = this.#reporting(was, 'running')
      return next.reboot === null ? next : { ...next, reboot: null }
    })
    return EVALUATE_MS
  }

  /** Records the end first, in case this process ends before the machine's. */
  async #end(qmp: Qmp | undefined, end: MachineEnd): Promise<number> {
    await this.update((was) =>
      reporting(
        { ...was, end },
        end.by_guest ? { ...reportedNow(was), state: 'stopping', by_guest: true } : reportedNow(was),
        this.#host.clock(),
      ),
    )
    const { process } = this.record
    if (process && (await isRunning(process))) {
      await qmp?.run('quit').catch(() => {})
      const until = performance.now() + (qmp ? QUIT_MS : 0)
      while (performance.now() < until && (await isRunning(process)))
        await new Promise((resolve) => setTimeout(resolve, 20))
      await endProcess(process)
    }
    return this.#ended(end)
  }

  async #ended(end: MachineEnd): Promise<number> {
    // It ends when QEMU does, a moment later.
    if (this.record.tpm) await endProcess(this.record.tpm)
    await this.update((was) => reporting({ ...was, end }, end, this.#host.clock()))
    return Infinity
  }

  #reporting(was: MachineRecord, state: 'running', code?: 'out_of_space' | 'not_responding'): MachineRecord {
    const now = this.#host.clock()
    return reporting(was, { state, by_guest: false, reason: code ? failure(code, now) : null }, now)
  }

  #onEvent({ event, data }: QmpEvent): void {
    const isOwn = performance.now() - this.#lastAt.reset < OWN_RESET_MS
    // May be lost without harm: the machine then runs, as reported.
    if (event === 'RESET' && data['guest'] === true && !isOwn) {
      this.#lastAt.guestReboot = performance.now()
      void this.update((was) =>
        was.state === 'running'
          ? reporting(was, { state: 'rebooting', by_guest: true, reason: null }, this.#host.clock())
          : was,
      )
        .then(() => this.wake())
        .catch((err: unknown) => this.#host.log.error({ err, machine: this.id }, 'a reboot was not recorded'))
    } else if (wakingEvents.has(event)) this.wake()
  }
}

const isForcedOff = ({ stop }: MachineRecord): boolean =>
  stop !== null && new Date(stop.deadline) <= new Date(stop.asked_at)

const reportedNow = ({ state, by_guest, reason }: MachineRecord) => ({ state, by_guest, reason })
