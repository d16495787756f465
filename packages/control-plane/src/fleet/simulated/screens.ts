import type { ScreenLine, Screens, SerialConsoles } from '../fleet.ts'
import { Keyboard } from './screen/keys.ts'
import { RfbServer } from './screen/rfb-server.ts'
import { type TextGrid, textGrid } from './screen/text-grid.ts'

/** The text of a console of 80 columns. */
const COLUMNS = 80
const ROWS = 25
/** Enough of the past to fill the screen. */
const PAST_BYTES = 16 * 1024
const READ_BYTES = 64 * 1024
/** How often the boot of a guest shows on its screens; what is typed shows at once. */
const POLL_MS = 120
/** Typed and not yet passed on; more is dropped, as by any keyboard. */
const TYPED_MAX = 4096

const title = ' Simulated screen: it shows the serial console of this simulated instance.'

/** A machine with viewers. */
interface Watched {
  id: string
  grid: TextGrid
  decoder: TextDecoder
  /** Bytes of its output that its grid shows. */
  at: number | undefined
  viewers: Set<Viewer>
}
interface Viewer {
  server: RfbServer
  hint: () => void
  hasEnded: boolean
}

interface Options {
  /** Calls back when one of the machines has printed something. */
  serial: SerialConsoles
  /** What Ctrl+Alt+Delete does. */
  reset: (machineId: string) => Promise<void>
}

/** Screens of simulated guests, which have text consoles that show what their serial consoles do. */
export function simulatedScreens({ serial, reset }: Options): Screens {
  const watched = new Map<string, Watched>()
  let isRunning = false
  let wake = (): void => {}

  function leave(machine: Watched, viewer: Viewer): void {
    viewer.hasEnded = true
    machine.viewers.delete(viewer)
    if (machine.viewers.size === 0 && watched.get(machine.id) === machine) watched.delete(machine.id)
  }

  /** Shows what the machines have printed since. */
  async function show(): Promise<boolean> {
    const machines = [...watched.values()]
    const written = await serial.written(machines.map(({ id }) => id))
    let isBehind = false
    for (const machine of machines) {
      const end = written.get(machine.id)
      if (end === undefined) {
        for (const viewer of machine.viewers) dismiss(machine, viewer)
        continue
      }
      machine.at ??= Math.max(0, end - PAST_BYTES)
      if (machine.at >= end) continue
      const { from, bytes } = await serial.read(machine.id, machine.at, READ_BYTES)
      machine.at = from + bytes.length
      machine.grid.write(machine.decoder.decode(bytes, { stream: true }))
      for (const { server, hint } of machine.viewers) {
        server.refresh()
        hint()
      }
      if (bytes.length > 0 && machine.at < end) isBehind = true
    }
    return isBehind
  }

  function dismiss(machine: Watched, viewer: Viewer): void {
    leave(machine, viewer)
    viewer.hint()
  }

  async function run(): Promise<void> {
    isRunning = true
    const stopped = new AbortController()
    let isWoken = false
    serial.watch(() => {
      isWoken = true
      wake()
    }, stopped.signal)
    while (watched.size > 0) {
      isWoken = false
      const isBehind = await show().catch(() => {
        // Without the machines' output there is nothing to show; viewers may connect again.
        for (const machine of watched.values()) for (const viewer of machine.viewers) dismiss(machine, viewer)
        return false
      })
      if (!isBehind && !isWoken) await pause((resolve) => (wake = resolve))
    }
    stopped.abort()
    isRunning = false
  }

  return {
    async open(id, hint) {
      const written = await serial.written([id])
      if (!written.has(id)) return undefined
      const machine = watched.get(id) ?? {
        id,
        grid: textGrid(COLUMNS, ROWS),
        decoder: new TextDecoder(),
        at: undefined,
        viewers: new Set<Viewer>(),
      }
      watched.set(id, machine)
      const keyboard = new Keyboard()
      const typing = typist((bytes) => serial.write(id, bytes))
      const server = new RfbServer({
        grid: machine.grid,
        title,
        name: 'Simulated instance',
        onKey(symbol, isDown) {
          const press = keyboard.press(symbol, isDown)
          if (press === 'reset') void reset(id).catch(() => {})
          else if (press) typing(press.typed)
        },
      })
      const viewer: Viewer = { server, hint, hasEnded: false }
      machine.viewers.add(viewer)
      if (isRunning) wake()
      else void run()
      return lineOf(machine, viewer)
    },
  }

  function lineOf(machine: Watched, viewer: Viewer): ScreenLine {
    const { server } = viewer
    return {
      send(bytes) {
        if (viewer.hasEnded) return false
        try {
          server.receive(bytes)
        } catch {
          leave(machine, viewer)
        }
        viewer.hint()
        return !viewer.hasEnded
      },
      take: (max) => server.take(max),
      hasEnded: () => viewer.hasEnded && !server.hasOutput(),
      close: () => leave(machine, viewer),
    }
  }
}

/** Passes keys on in their order. */
function typist(write: (bytes: Uint8Array) => Promise<void>): (text: string) => void {
  let waiting = ''
  let isTyping = false
  const type = async (): Promise<void> => {
    while (waiting !== '') {
      const bytes = new TextEncoder().encode(waiting)
      waiting = ''
      await write(bytes)
    }
  }
  return (text) => {
    if (waiting.length + text.length > TYPED_MAX) return
    waiting += text
    if (isTyping) return
    isTyping = true
    // What cannot be typed is lost, as on a machine that ends.
    void type()
      .catch(() => (waiting = ''))
      .finally(() => (isTyping = false))
  }
}

/** Ends after a while, or when it is woken. */
function pause(onWake: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS)
    onWake(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
