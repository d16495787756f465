import { type ClientMessage, ClientMessages, rfbVersion, viewOf } from '../../rfb/client-messages.ts'
import { CELL_HEIGHT, CELL_WIDTH, glyphRows } from './glyphs.ts'
import type { TextGrid } from './text-grid.ts'

/** Colours as red, green and blue. */
type Colour = readonly [number, number, number]

const paper: Colour = [13, 17, 25]
const ink: Colour = [214, 218, 224]
const label: Colour = [38, 66, 110]

const RRE = 2
const RAW = 0
const NO_NAME_LONGER = 200

interface PixelFormat {
  bytes: 1 | 2 | 4
  isBigEndian: boolean
  max: Colour
  shift: Colour
}

/** True colour in 32 bits, as browsers keep it. */
const natural: PixelFormat = { bytes: 4, isBigEndian: false, max: [255, 255, 255], shift: [16, 8, 0] }

interface Options {
  grid: TextGrid
  /** The line above the text. */
  title: string
  name: string
  onKey: (symbol: number, isDown: boolean) => void
}

/**
 * The server's side of one conversation in RFB about a text console. It answers only what it was asked, and holds at
 * most one picture, so a viewer that never reads costs no more than that.
 */
export class RfbServer {
  readonly #options: Options
  readonly #messages = new ClientMessages()
  readonly #out: Uint8Array[] = []
  #format = natural
  #hasRre = false
  #wants = false
  /** What the viewer has been shown, by rows. */
  #shown: string[]

  constructor(options: Options) {
    this.#options = options
    this.#shown = []
    this.#out.push(new TextEncoder().encode(rfbVersion))
  }

  /** Takes what the viewer sends. Throws if that is not RFB. */
  receive(bytes: Uint8Array): void {
    for (const message of this.#messages.read(bytes)) this.#answer(message)
    this.refresh()
  }

  /** Sends what has changed, if the viewer waits for it. */
  refresh(): void {
    if (!this.#wants || this.#out.length > 0) return
    const rows = this.#rows()
    const changed = rows.flatMap((row, at) => (row === this.#shown[at] ? [] : [at]))
    if (changed.length === 0) return
    this.#wants = false
    const update = new Uint8Array(4)
    viewOf(update).setUint16(2, changed.length)
    this.#out.push(update)
    for (const at of changed) this.#draw(at, rows[at] ?? '')
    this.#shown = rows
  }

  hasOutput(): boolean {
    return this.#out.length > 0
  }

  take(max: number): Uint8Array {
    const parts: Uint8Array[] = []
    let length = 0
    for (let first = this.#out.shift(); first; first = this.#out.shift()) {
      const part = first.subarray(0, max - length)
      parts.push(part)
      length += part.length
      if (part.length === first.length) continue
      this.#out.unshift(first.subarray(part.length))
      break
    }
    if (this.#out.length === 0) this.refresh()
    const bytes = new Uint8Array(length)
    parts.reduce((at, part) => {
      bytes.set(part, at)
      return at + part.length
    }, 0)
    return bytes
  }

  #answer(message: ClientMessage): void {
    switch (message.kind) {
      case 'version':
        this.#out.push(Uint8Array.of(1, 1))
        break
      case 'security':
        this.#out.push(new Uint8Array(4))
        break
      case 'init':
        this.#out.push(this.#greeting())
        break
      case 'pixel-format':
        this.#format = formatOf(message.bytes)
        this.#shown = []
        break
      case 'encodings':
        this.#hasRre = encodingsOf(message.bytes).includes(RRE)
        break
      case 'update-request':
        this.#wants = true
        // Without what the viewer has.
        if (message.bytes[1] === 0) this.#shown = []
        break
      case 'key':
        this.#options.onKey(message.key, message.isDown)
        break
      case 'pointer':
      case 'clipboard':
        // A text console has neither.
        break
      default:
        message satisfies never
    }
  }

  #greeting(): Uint8Array {
    const { grid, name } = this.#options
    const text = new TextEncoder().encode(name.slice(0, NO_NAME_LONGER))
    const bytes = new Uint8Array(24 + text.length)
    const view = viewOf(bytes)
    view.setUint16(0, grid.columns * CELL_WIDTH)
    view.setUint16(2, (grid.rows + 1) * CELL_HEIGHT)
    bytes.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0], 4)
    view.setUint32(20, text.length)
    bytes.set(text, 24)
    return bytes
  }

  /** The title and the rows, each as what distinguishes it from another one. */
  #rows(): string[] {
    const { grid, title } = this.#options
    const cursor = grid.cursor()
    const rows = [title.slice(0, grid.columns).padEnd(grid.columns)]
    for (let row = 0; row < grid.rows; row++) {
      let text = ''
      for (let column = 0; column < grid.columns; column++) text += shownAs(grid.at(row, column))
      rows.push(row === cursor.row ? `${text}${String.fromCharCode(cursor.column)}` : text)
    }
    return rows
  }

  #draw(at: number, row: string): void {
    const { columns } = this.#options.grid
    const cursor = row.length > columns ? row.charCodeAt(columns) : -1
    const dots = new Uint8Array(columns * CELL_WIDTH * CELL_HEIGHT)
    for (let column = 0; column < columns; column++) {
      const glyph = glyphRows(row[column] ?? ' ')
      for (let y = 0; y < CELL_HEIGHT; y++)
        for (let x = 0; x < CELL_WIDTH; x++) {
          const isInk = ((glyph[y] ?? 0) >> (CELL_WIDTH - 1 - x)) & 1
          dots[y * columns * CELL_WIDTH + column * CELL_WIDTH + x] = column === cursor ? 1 - isInk : isInk
        }
    }
    const head = new Uint8Array(12)
    const view = viewOf(head)
    view.setUint16(2, at * CELL_HEIGHT)
    view.setUint16(4, columns * CELL_WIDTH)
    view.setUint16(6, CELL_HEIGHT)
    view.setInt32(8, this.#hasRre ? RRE : RAW)
    const back = this.#pixel(at === 0 ? label : paper)
    const front = this.#pixel(ink)
    const width = columns * CELL_WIDTH
    this.#out.push(head, this.#hasRre ? rre(dots, width, back, front) : raw(dots, back, front))
  }

  #pixel(colour: Colour): Uint8Array {
    const { bytes, isBigEndian, max, shift } = this.#format
    const value = colour.reduce(
      (sum, part, index) => sum + Math.round((part * (max[index] ?? 0)) / 255) * 2 ** (shift[index] ?? 0),
      0,
    )
    const pixel = new Uint8Array(bytes)
    for (let at = 0; at < bytes; at++)
      pixel[isBigEndian ? bytes - 1 - at : at] = Math.floor(value / 256 ** at) % 256
    return pixel
  }
}

/** Only what the letters have. */
const shownAs = (character: string): string => (/^[ -~]$/.test(character) ? character : '\x7f')

function raw(dots: Uint8Array, back: Uint8Array, front: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(dots.length * back.length)
  dots.forEach((dot, index) => bytes.set(dot ? front : back, index * back.length))
  return bytes
}

/** A background, and the stretches of the foreground as rectangles. */
function rre(dots: Uint8Array, width: number, back: Uint8Array, front: Uint8Array): Uint8Array {
  const stretches: [x: number, y: number, width: number][] = []
  for (let start = 0; start < dots.length; start++) {
    if (!dots[start]) continue
    let end = start + 1
    while (end % width !== 0 && dots[end]) end++
    stretches.push([start % width, Math.floor(start / width), end - start])
    start = end - 1
  }
  const size = front.length + 8
  const bytes = new Uint8Array(4 + back.length + stretches.length * size)
  const view = viewOf(bytes)
  view.setUint32(0, stretches.length)
  bytes.set(back, 4)
  stretches.forEach(([x, y, length], index) => {
    const at = 4 + back.length + index * size
    bytes.set(front, at)
    const place = at + front.length
    view.setUint16(place, x)
    view.setUint16(place + 2, y)
    view.setUint16(place + 4, length)
    view.setUint16(place + 6, 1)
  })
  return bytes
}

function formatOf(message: Uint8Array): PixelFormat {
  const view = viewOf(message)
  const [bits = 0, , isBigEndian, isTrueColour] = message.subarray(4)
  if (!isTrueColour || ![8, 16, 32].includes(bits))
    throw new Error('This screen shows true colours in 8, 16 or 32 bits only.')
  return {
    bytes: (bits / 8) as 1 | 2 | 4,
    isBigEndian: isBigEndian !== 0,
    max: [view.getUint16(8), view.getUint16(10), view.getUint16(12)],
    shift: [(message[14] ?? 0) % bits, (message[15] ?? 0) % bits, (message[16] ?? 0) % bits],
  }
}

function encodingsOf(message: Uint8Array): number[] {
  const view = viewOf(message)
  return Array.from({ length: view.getUint16(2) }, (_, index) => view.getInt32(4 + 4 * index))
}
