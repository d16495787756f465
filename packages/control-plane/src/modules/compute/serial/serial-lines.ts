import { instanceAllows, type RunState } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import { readPrints } from '@gantry/control-plane/authz/open-credentials'
import { Wakeups } from '@gantry/control-plane/stream/wakeups'
import type { ConnectionAccess } from '@gantry/control-plane/stream/connection-access'
import type { ByteSocket } from '@gantry/control-plane/environment'
import type { Services } from '@gantry/control-plane/context/services'
import { onceEach } from '@gantry/control-plane/context/once-each'

/** Maximum bytes per read of a VM's output. */
const frameBytes = 64 * 1024
/** Polling interval for output of other processes; output of this process wakes the loop. */
const pollMs = 120
/** Reading pauses above this many buffered bytes in a socket. */
const highWater = 1024 * 1024
/** Why a console is closed whose viewer lost the session, the role, or access from this address. */
export const mayNotStay = 'you may no longer use this console'

export interface Viewer {
  socket: ByteSocket
  userId: string
  /** Bytes of output sent to it, counted from power on. */
  at: number
  /** Undefined where no request came with a credential. */
  access: ConnectionAccess | undefined
}

interface Watching extends Viewer {
  /** Its user is being identified; it receives nothing until then. */
  isAsked: boolean
}

/** A machine whose serial console is in use. */
interface Line {
  vmmId: string
  viewers: Set<Watching>
}

/**
 * The serial consoles watched in this process. One loop serves them all: each round queries all VMs at once
 * and reads new output once for all viewers of a VM, so that an idle viewer costs only its socket.
 */
export class SerialLines {
  readonly #lines = new Map<string, Line>()
  readonly #wakeups = new Wakeups()
  #running = false

  constructor(private readonly services: Services) {
    services.fleet.serial.watch(() => this.#wakeups.wake(), services.ending)
  }

  /** Why one more viewer is refused, short enough for a close frame. */
  whyFull(vmmId: string, userId: string): string | undefined {
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

  /** Streams the VM's output to the viewer from its position until the socket closes. */
  watch(vmmId: string, viewer: Viewer): void {
    const line = this.#lines.get(vmmId) ?? { vmmId, viewers: new Set() }
    const watching = { ...viewer, isAsked: false }
    line.viewers.add(watching)
    this.#lines.set(vmmId, line)
    viewer.socket.onClose(() => this.#leave(line, watching))
    this.#wakeups.wake()
    if (!this.#running) void this.#run()
  }

  #leave(line: Line, viewer: Watching): void {
    line.viewers.delete(viewer)
    if (line.viewers.size === 0) this.#lines.delete(line.vmmId)
  }

  async #run(): Promise<void> {
    const { services } = this
    this.#running = true
    while (this.#lines.size > 0 && !services.ending.aborted) {
      const before = this.#wakeups.count
      const isBehind = await this.#round().catch((error: unknown) => {
        services.log.error({ err: error }, 'serial consoles could not be read')
        return false
      })
      if (!isBehind && this.#wakeups.count === before) await this.#wakeups.wait(pollMs, services.ending)
    }
    this.#running = false
    for (const line of this.#lines.values())
      for (const { socket } of line.viewers) socket.close(1012, 'the server is going away')
  }

  /** Whether any viewer has output left to receive. */
  async #round(): Promise<boolean> {
    const { services } = this
    const lines = [...this.#lines.values()]
    const ids = lines.map(({ vmmId }) => vmmId)
    const viewers = lines.flatMap((line) => [...line.viewers])
    const [instances, written, prints] = await Promise.all([
      runStates(services, ids),
      services.fleet.serial.written(ids),
      readPrints(
        services,
        viewers.flatMap(({ access }) => access?.credential ?? []),
      ),
    ])
    for (const viewer of viewers) this.#askWhetherToStay(viewer, prints)
    let isBehind = false
    for (const line of lines) {
      try {
        if (await this.#show(line, instances.get(line.vmmId), written.get(line.vmmId) ?? 0)) isBehind = true
      } catch (error) {
        services.log.error({ err: error, vmm: line.vmmId }, 'a serial console broke')
        for (const { socket } of line.viewers) socket.close(1011, 'The serial console failed. Connect again.')
      }
    }
    return isBehind
  }

  async #show(line: Line, runState: RunState | undefined, written: number): Promise<boolean> {
    if (!runState || !allows(instanceAllows, 'serialConsole', runState)) {
      // The VM's last output still goes to the viewers.
      if (runState) await this.#send(line, written)
      for (const { socket } of line.viewers) socket.close(1000, `instance is ${runState ?? 'stopped'}`)
      return false
    }
    return this.#send(line, written)
  }

  /** Reads once for all viewers at the same position. Returns whether any of them has more to receive. */
  async #send({ vmmId, viewers }: Line, written: number): Promise<boolean> {
    const ready = [...viewers].filter(
      ({ at, socket, isAsked }) => !isAsked && at < written && socket.buffered() < highWater,
    )
    let isBehind = false
    for (const at of new Set(ready.map((viewer) => viewer.at))) {
      const { from, bytes } = await this.services.fleet.serial.read(vmmId, at, frameBytes)
      for (const viewer of ready.filter((one) => one.at === at)) {
        if (bytes.length > 0) viewer.socket.send(bytes)
        viewer.at = Math.max(at, from + bytes.length)
      }
      if (bytes.length > 0 && from + bytes.length < written) isBehind = true
    }
    return isBehind
  }

  /** A console stays open for long: it must not outlive the session or the role. */
  #askWhetherToStay(viewer: Watching, prints: ReadonlyMap<string, string>): void {
    const { access, socket } = viewer
    if (!access || viewer.isAsked) return
    const print = prints.get(access.credential.id)
    if (access.isKnown(print)) return
    viewer.isAsked = true
    access
      .holdsAt(print)
      .then(
        (holds) => {
          if (!holds) socket.close(1008, mayNotStay)
        },
        (error: unknown) =>
          this.services.log.error({ err: error }, 'the holder of a serial console was not found'),
      )
      .finally(() => {
        viewer.isAsked = false
        this.#wakeups.wake()
      })
  }
}

export const serialLines = onceEach((services: Services) => new SerialLines(services))

/** The states of the instances of these machines, of those that still have them. */
export async function runStates(
  services: Services,
  vmmIds: readonly string[],
): Promise<Map<string, RunState>> {
  const rows = await services.db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .select(['vmm.id', 'instance.run_state'])
    .where('vmm.id', 'in', vmmIds)
    .where('vmm.time_gone', 'is', null)
    .execute()
  return new Map(rows.map(({ id, run_state }) => [id, run_state]))
}
