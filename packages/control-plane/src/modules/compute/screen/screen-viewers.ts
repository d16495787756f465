import {
  type KeyboardWord,
  keyboardWords,
  screenChannels,
  screenViewersMax,
  whyNoScreen,
} from '@gantry/api/compute/screen.rules'
import type { RunState } from '@gantry/api/compute/instance.rules'
import { readPrints } from '@gantry/control-plane/authz/open-credentials'
import { onceEach } from '@gantry/control-plane/context/once-each'
import type { Services } from '@gantry/control-plane/context/services'
import type { ByteSocket } from '@gantry/control-plane/environment'
import type { ScreenLine } from '@gantry/control-plane/fleet/fleet'
import {
  type ClientMessage,
  ClientMessages,
  RfbViolation,
} from '@gantry/control-plane/fleet/rfb/client-messages'
import { HeldKeys } from '@gantry/control-plane/fleet/rfb/held-keys'
import type { ConnectionAccess } from '@gantry/control-plane/stream/connection-access'
import { Wakeups } from '@gantry/control-plane/stream/wakeups'
import { mayNotStay, runStates } from '../serial/serial-lines.ts'
import { type Seat, said, settled, shownSeats } from './seats.ts'
import { changeSeats, hasKeyboard, keepSeats, seatsOf, SEEN_EVERY_MS } from './stored-seats.ts'

/** Maximum bytes of a screen in one message. */
const FRAME_BYTES = 256 * 1024
/** The screen pauses above this many buffered bytes in a socket. */
const HIGH_WATER = 1024 * 1024
/** More than any client of RFB sends at once: reading it takes the only thread. */
const MESSAGE_MAX = 128 * 1024
/** Typed and clicked, and not yet passed on; an overloaded keyboard drops the rest. */
const INPUT_MAX = 64 * 1024
/** Words about the keyboard that are not yet answered. */
const WORDS_MAX = 8
/** The pause between two rounds, in which what the machines send is gathered. */
const GATHER_MS = 8
/** How often seats and instances are read. */
const LOOK_MS = 120

export const failed = 'The screen failed. Connect again.'

export interface Viewer {
  id: string
  vmmId: string
  /** The user's, for the other viewers. */
  name: string
  since: Date
  socket: ByteSocket
  line: ScreenLine
  /** Undefined where no request came with a credential. */
  access: ConnectionAccess | undefined
}

interface Watching extends Viewer {
  messages: ClientMessages
  held: HeldKeys
  input: ClientMessage[]
  inputBytes: number
  words: KeyboardWord[]
  isTyping: boolean
  isTalking: boolean
  /** Its user is being identified; it receives nothing until then. */
  isAsked: boolean
  hasKeyboard: boolean
  /** What it was last told of the seats. */
  told: string
  isOver: boolean
}

/** The screens watched in this process, whose seats all processes share. */
export class ScreenViewers {
  readonly #viewers = new Set<Watching>()
  /** The users of screens that are open or being opened. */
  readonly #users = new Map<string, string>()
  readonly #wakeups = new Wakeups()
  #running = false
  /** When seats and instances were last read, and viewers last said to be there. */
  #lookedAt = -Infinity
  #seenAt = -Infinity

  constructor(private readonly services: Services) {}

  wake = (): void => this.#wakeups.wake()

  /** Counts a screen that a user opens until it is released; says why it is one too many, short enough for a close frame. */
  reserve(id: string, userId: string): string | undefined {
    const { consoles_per_person: ofPerson } = this.services.settings.limits
    if ([...this.#users.values()].filter((one) => one === userId).length >= ofPerson)
      return `You have ${ofPerson} screens open, the maximum. Close one first.`
    this.#users.set(id, userId)
    return undefined
  }

  release(id: string): void {
    this.#users.delete(id)
  }

  /** Takes a seat; says why there is none. */
  async enter(
    viewer: Pick<Viewer, 'id' | 'vmmId' | 'name' | 'since'>,
    viewOnly: boolean,
  ): Promise<string | undefined> {
    let full: string | undefined
    const { id, name, since: time_joined, vmmId } = viewer
    await changeSeats(this.services.db, vmmId, this.services.clock(), (seats) => {
      if (seats.length >= screenViewersMax) {
        full = `This screen has ${screenViewersMax} viewers, the maximum. Try again later.`
        return seats
      }
      full = undefined
      const isFree = !seats.some((seat) => seat.has_keyboard)
      return [...seats, { id, name, time_joined, has_keyboard: isFree && !viewOnly, time_asked: null }]
    })
    return full
  }

  async leave(vmmId: string, id: string): Promise<void> {
    await changeSeats(this.services.db, vmmId, this.services.clock(), (seats) =>
      seats.filter((seat) => seat.id !== id),
    )
  }

  /** Streams the screen to the viewer, and its input to the machine, until the socket closes. */
  watch(viewer: Viewer): void {
    const watching: Watching = {
      ...viewer,
      messages: new ClientMessages(),
      held: new HeldKeys(),
      input: [],
      inputBytes: 0,
      words: [],
      isTyping: false,
      isTalking: false,
      isAsked: false,
      hasKeyboard: false,
      told: '',
      isOver: false,
    }
    this.#viewers.add(watching)
    this.#lookedAt = -Infinity
    viewer.socket.onBytes((bytes) => this.#receive(watching, bytes))
    viewer.socket.onClose(() => this.#end(watching))
    this.wake()
    if (!this.#running) void this.#run()
  }

  #end(viewer: Watching): void {
    if (viewer.isOver) return
    viewer.isOver = true
    this.#viewers.delete(viewer)
    this.release(viewer.id)
    viewer.line.close()
    this.#lookedAt = -Infinity
    if (this.services.ending.aborted) return
    this.leave(viewer.vmmId, viewer.id).then(this.wake, (error: unknown) =>
      // It is taken for gone after a while.
      this.services.log.warn({ err: error }, 'a viewer of a screen did not leave its seat'),
    )
  }

  #close(viewer: Watching, code: number, reason: string): void {
    if (viewer.isOver) return
    viewer.socket.close(code, reason)
    this.#end(viewer)
  }

  #receive(viewer: Watching, bytes: Uint8Array): void {
    if (viewer.isOver) return
    try {
      if (bytes.length > MESSAGE_MAX) throw new RfbViolation('This message is too long for a screen.')
      if (bytes[0] === screenChannels.rfb) this.#hear(viewer, bytes.subarray(1))
      else this.#listen(viewer, bytes)
    } catch (error) {
      if (!(error instanceof RfbViolation)) throw error
      this.#close(viewer, 1008, error.message)
    }
  }

  /** What is typed and clicked waits for its turn; the rest goes to the machine at once. */
  #hear(viewer: Watching, bytes: Uint8Array): void {
    for (const message of viewer.messages.read(bytes)) {
      if (isInput(message)) {
        if (!viewer.hasKeyboard || viewer.inputBytes + message.bytes.length > INPUT_MAX) continue
        viewer.input.push(message)
        viewer.inputBytes += message.bytes.length
      } else if (!viewer.line.send(message.bytes)) {
        if (!viewer.line.hasEnded()) this.#close(viewer, 1008, 'This screen takes no more messages for now.')
        break
      }
    }
    if (viewer.input.length === 0 || viewer.isTyping) return
    viewer.isTyping = true
    this.#type(viewer)
      .catch((error: unknown) =>
        this.services.log.error({ err: error, vmm: viewer.vmmId }, 'could not send input to a screen'),
      )
      .finally(() => (viewer.isTyping = false))
  }

  /**
   * Input is processed in order; what arrives meanwhile is batched. Before each batch the user must still be signed in
   * and have the role, and the viewer must be at the keyboard.
   */
  async #type(viewer: Watching): Promise<void> {
    while (viewer.input.length > 0 && !viewer.isOver) {
      const [may, has] = await Promise.all([
        viewer.access?.holds() ?? true,
        hasKeyboard(this.services.db, viewer.id),
      ])
      if (!may) return this.#close(viewer, 1008, mayNotStay)
      const batch = viewer.input.splice(0)
      viewer.inputBytes = 0
      // It may have been let go of meanwhile, with all keys that were held.
      if (!has || !viewer.hasKeyboard || viewer.isOver) continue
      for (const message of batch) if (viewer.line.send(message.bytes)) viewer.held.note(message)
    }
  }

  #listen(viewer: Watching, bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes.subarray(1, 32))
    const word = keyboardWords.find((one) => one === text)
    if (bytes[0] !== screenChannels.keyboard || !word || bytes.length > 32)
      throw new RfbViolation('This screen does not know such a message.')
    if (viewer.words.length >= WORDS_MAX) return
    viewer.words.push(word)
    if (viewer.isTalking) return
    viewer.isTalking = true
    this.#talk(viewer)
      .catch((error: unknown) =>
        this.services.log.error(
          { err: error, vmm: viewer.vmmId },
          'the keyboard of a screen was not passed on',
        ),
      )
      .finally(() => (viewer.isTalking = false))
  }

  async #talk(viewer: Watching): Promise<void> {
    const { db, clock } = this.services
    for (let word = viewer.words.shift(); word && !viewer.isOver; word = viewer.words.shift()) {
      const heard = word
      if (viewer.access && !(await viewer.access.holds())) return this.#close(viewer, 1008, mayNotStay)
      await changeSeats(db, viewer.vmmId, clock(), (seats) => said(seats, viewer.id, heard, clock()))
      this.#lookedAt = -Infinity
      this.wake()
    }
  }

  async #run(): Promise<void> {
    const { services } = this
    this.#running = true
    while (this.#viewers.size > 0 && !services.ending.aborted) {
      const before = this.#wakeups.count
      const isBehind = await this.#round().catch((error: unknown) => {
        services.log.error({ err: error }, 'screens could not be shown')
        return false
      })
      if (isBehind || this.#wakeups.count !== before) await pause(GATHER_MS)
      else await this.#wakeups.wait(LOOK_MS, services.ending)
    }
    this.#running = false
    for (const viewer of this.#viewers) this.#close(viewer, 1012, 'the server is going away')
  }

  /** Whether any viewer has more to receive. */
  async #round(): Promise<boolean> {
    const { services } = this
    // Who comes meanwhile is asked in the next round, and shown nothing before.
    const viewers = [...this.#viewers]
    const prints = await readPrints(
      services,
      viewers.flatMap(({ access }) => access?.credential ?? []),
    )
    for (const viewer of viewers) this.#askWhetherToStay(viewer, prints)
    if (Math.abs(services.clock().getTime() - this.#lookedAt) >= LOOK_MS) await this.#look()
    let isBehind = false
    for (const viewer of viewers) {
      try {
        if (this.#show(viewer)) isBehind = true
      } catch (error) {
        services.log.error({ err: error, vmm: viewer.vmmId }, 'a screen broke')
        this.#close(viewer, 1011, failed)
      }
    }
    return isBehind
  }

  #show(viewer: Watching): boolean {
    const { line, socket } = viewer
    if (viewer.isAsked || viewer.isOver || socket.buffered() >= HIGH_WATER) return false
    const bytes = line.take(FRAME_BYTES)
    if (bytes.length > 0) send(socket, screenChannels.rfb, bytes)
    else if (line.hasEnded()) this.#close(viewer, 1011, failed)
    return bytes.length > 0
  }

  /** Reads the instances and seats of all screens. */
  async #look(): Promise<void> {
    const { services } = this
    const now = services.clock()
    const viewers = [...this.#viewers]
    if (viewers.length === 0) return
    this.#lookedAt = now.getTime()
    if (Math.abs(now.getTime() - this.#seenAt) >= SEEN_EVERY_MS) {
      this.#seenAt = now.getTime()
      const kept = await keepSeats(
        services.db,
        viewers.map(({ id }) => id),
        now,
      )
      // A process that was suspended has lost them, and the keyboard.
      const lost = viewers.filter(({ id, isOver }) => !kept.has(id) && !isOver)
      for (const viewer of lost) this.#close(viewer, 1011, failed)
    }
    const ids = [...new Set(viewers.map(({ vmmId }) => vmmId))]
    const [instances, rows] = await Promise.all([runStates(services, ids), seatsOf(services.db, ids, now)])
    for (const vmmId of ids) {
      const seats = rows.filter((row) => row.vmm_id === vmmId)
      const own = viewers.filter((viewer) => viewer.vmmId === vmmId && !viewer.isOver)
      const ended = whyEnded(instances.get(vmmId))
      if (ended !== undefined) for (const viewer of own) this.#close(viewer, 1000, ended)
      else if (isUnsettled(seats, now)) {
        await changeSeats(services.db, vmmId, now, (all) => all)
        this.#lookedAt = -Infinity
      } else for (const viewer of own) tell(viewer, seats, now)
    }
  }

  /** A screen stays open for long: it must not outlive the session or the role. */
  #askWhetherToStay(viewer: Watching, prints: ReadonlyMap<string, string>): void {
    const { access } = viewer
    if (!access || viewer.isAsked) return
    const print = prints.get(access.credential.id)
    if (access.isKnown(print)) return
    viewer.isAsked = true
    access
      .holdsAt(print)
      .then(
        (holds) => {
          if (!holds) this.#close(viewer, 1008, mayNotStay)
        },
        (error: unknown) => this.services.log.error({ err: error }, 'the viewer of a screen was not found'),
      )
      .finally(() => {
        viewer.isAsked = false
        this.wake()
      })
  }
}

export const screenViewers = onceEach((services: Services) => new ScreenViewers(services))

const isInput = ({ kind }: ClientMessage): boolean =>
  kind === 'key' || kind === 'pointer' || kind === 'clipboard'

const whyEnded = (state: RunState | undefined): string | undefined =>
  state ? whyNoScreen(state) : 'instance is stopped and has no screen'

/** Whether the keyboard is to change hands. */
const isUnsettled = (seats: readonly Seat[], now: Date): boolean =>
  settled(seats, now).some((seat, index) => seat.has_keyboard !== seats[index]?.has_keyboard)

/** Tells a viewer of the seats if they have changed, and lets its keys go when it lost the keyboard. */
function tell(viewer: Watching, seats: readonly Seat[], now: Date): void {
  const { seconds, ...rest } = shownSeats(seats, viewer.id, now)
  const isHolder = rest.keyboard === viewer.id
  if (viewer.hasKeyboard && !isHolder) for (const message of viewer.held.release()) viewer.line.send(message)
  viewer.hasKeyboard = isHolder
  const text = JSON.stringify(rest)
  if (text === viewer.told || viewer.isAsked) return
  viewer.told = text
  send(viewer.socket, screenChannels.keyboard, new TextEncoder().encode(JSON.stringify({ ...rest, seconds })))
}

function send(socket: ByteSocket, channel: number, bytes: Uint8Array): void {
  const message = new Uint8Array(bytes.length + 1)
  message[0] = channel
  message.set(bytes, 1)
  socket.send(message)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
