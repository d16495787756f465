import { instanceAllows, type RunState } from '@gantry/api/instance.rules'
import { allows } from '@gantry/api/state.rules'
import type { ByteSocket } from '../../environment.ts'
import type { SerialState } from '../../fleet/fleet.ts'
import { change, type Scope } from '../../kernel/change.ts'
import { isOver } from '../../kernel/clock.ts'
import { type Services, systemCx } from '../../kernel/cx.ts'
import { Bell } from '../../kernel/bell.ts'

/** Most bytes read for one look at a machine's output. */
const frameBytes = 64 * 1024
/** Output of other processes is looked for this often; our own rings. */
const pollMs = 120
/** Above this many bytes waiting in a socket nothing more is read for it. */
const highWater = 1024 * 1024
/** Whether the person may still be here is asked this often. */
const rolesMs = 30_000

/** A machine whose serial line somebody uses. */
export interface Machine {
  vmmId: string
  scope: Scope
}

export interface Viewer {
  socket: ByteSocket
  userId: string
  /** Bytes of output that it has, counted from power on. */
  at: number
  mayStay: () => Promise<boolean>
}

interface Watching extends Viewer {
  /** When it was last asked whether it may stay. */
  asked: number
}

interface Line extends Machine {
  viewers: Set<Watching>
}

/** Lets the machine print what is due by now, and tells how much it has printed in all. */
export async function advance(
  services: Services,
  { vmmId, scope }: Machine,
  state: SerialState | undefined,
): Promise<number> {
  if (!state) return 0
  if (!state.nextDue || state.nextDue > services.clock()) return state.written
  return change(systemCx(services, 'serial-console'), scope, (tx) => services.fleet.advanceSerial(tx, vmmId))
}

/**
 * The serial lines that people of this process watch. One loop serves all of them: each round asks once for every
 * machine and reads new output once for all viewers of a machine, so that an idle viewer costs nothing but its socket.
 */
export class SerialLines {
  readonly #lines = new Map<string, Line>()
  readonly #bell = new Bell()
  #running = false

  constructor(private readonly services: Services) {}

  /** Why one more viewer is refused, in words that fit the reason of a close frame. */
  whyFull({ vmmId }: Machine, userId: string): string | undefined {
    const { consoles_per_machine: ofMachine, consoles_per_person: ofPerson } = this.services.settings.limits
    if ((this.#lines.get(vmmId)?.viewers.size ?? 0) >= ofMachine)
      return `This serial console has ${ofMachine} connections open, the maximum. Try again later.`
    const own = [...this.#lines.values()].flatMap(({ viewers }) =>
      [...viewers].filter((one) => one.userId === userId),
    )
    return own.length >= ofPerson
      ? `You have ${ofPerson} serial consoles open, the maximum. Close one first.`
      : undefined
  }

  /** Shows the machine's output from where the viewer is, until its socket closes. */
  watch(machine: Machine, viewer: Viewer): void {
    const line = this.#lines.get(machine.vmmId) ?? { ...machine, viewers: new Set() }
    const watching = { ...viewer, asked: this.services.clock().getTime() }
    line.viewers.add(watching)
    this.#lines.set(machine.vmmId, line)
    viewer.socket.onClose(() => this.#leave(line, watching))
    this.ring()
    if (!this.#running) void this.#run()
  }

  /** There is something new to show. */
  ring(): void {
    this.#bell.ring()
  }

  #leave(line: Line, viewer: Watching): void {
    line.viewers.delete(viewer)
    if (line.viewers.size === 0) this.#lines.delete(line.vmmId)
  }

  async #run(): Promise<void> {
    const { services } = this
    this.#running = true
    while (this.#lines.size > 0 && !services.ending.aborted) {
      const rings = this.#bell.rings
      const isBehind = await this.#round().catch((error: unknown) => {
        services.log.error({ err: error }, 'serial consoles could not be read')
        return false
      })
      if (!isBehind && this.#bell.rings === rings) await this.#bell.wait(pollMs, services.ending)
    }
    this.#running = false
    for (const line of this.#lines.values())
      for (const { socket } of line.viewers) socket.close(1012, 'the server is going away')
  }

  /** Whether somebody has not yet all there is. */
  async #round(): Promise<boolean> {
    const { services } = this
    const lines = [...this.#lines.values()]
    const ids = lines.map(({ vmmId }) => vmmId)
    const [instances, states] = await Promise.all([
      runStates(services, ids),
      services.fleet.serialStates(services.db, ids),
    ])
    let isBehind = false
    for (const line of lines) {
      try {
        const state = states.get(line.vmmId)
        if (await this.#show(line, instances.get(line.vmmId), state)) isBehind = true
      } catch (error) {
        services.log.error({ err: error, vmm: line.vmmId }, 'a serial console broke')
        for (const { socket } of line.viewers) socket.close(1011, 'The serial console failed. Connect again.')
      }
    }
    return isBehind
  }

  async #show(line: Line, runState: RunState | undefined, state: SerialState | undefined): Promise<boolean> {
    if (!runState || !allows(instanceAllows, 'serialConsole', runState)) {
      // What the machine said last still belongs to the viewers.
      if (runState) await this.#send(line, state?.written ?? 0)
      for (const { socket } of line.viewers) socket.close(1000, `instance is ${runState ?? 'stopped'}`)
      return false
    }
    for (const viewer of line.viewers) this.#askWhetherToStay(viewer)
    return this.#send(line, await advance(this.services, line, state))
  }

  /** Reads once for all viewers that are equally far. Whether one of them has still more to come. */
  async #send({ vmmId, viewers }: Line, written: number): Promise<boolean> {
    const ready = [...viewers].filter(({ at, socket }) => at < written && socket.buffered() < highWater)
    let isBehind = false
    for (const at of new Set(ready.map((viewer) => viewer.at))) {
      const { from, bytes } = await this.services.fleet.readSerial(this.services.db, vmmId, at, frameBytes)
      for (const viewer of ready.filter((one) => one.at === at)) {
        if (bytes.length > 0) viewer.socket.send(bytes)
        viewer.at = Math.max(at, from + bytes.length)
      }
      if (bytes.length > 0 && from + bytes.length < written) isBehind = true
    }
    return isBehind
  }

  /** A line stays open for long: neither an ended session nor a role that was taken away may live on in it. */
  #askWhetherToStay(viewer: Watching): void {
    const now = this.services.clock().getTime()
    if (!isOver(viewer.asked, now, rolesMs)) return
    viewer.asked = now
    viewer.mayStay().then(
      (mayStay) => {
        if (!mayStay) viewer.socket.close(1008, 'you may no longer use this console')
      },
      (error: unknown) =>
        this.services.log.error({ err: error }, 'the holder of a serial console was not found'),
    )
  }
}

const ofServices = new WeakMap<Services, SerialLines>()

export function serialLines(services: Services): SerialLines {
  const lines = ofServices.get(services) ?? new SerialLines(services)
  ofServices.set(services, lines)
  return lines
}

async function runStates(services: Services, vmmIds: readonly string[]): Promise<Map<string, RunState>> {
  const rows = await services.db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .select(['vmm.id', 'instance.run_state'])
    .where('vmm.id', 'in', vmmIds)
    .where('vmm.time_gone', 'is', null)
    .execute()
  return new Map(rows.map(({ id, run_state }) => [id, run_state]))
}
