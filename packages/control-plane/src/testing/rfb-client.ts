import { joined, noSecurity, rfbVersion, viewOf } from '../fleet/rfb/client-messages.ts'
import { CELL_HEIGHT, CELL_WIDTH, glyphRows } from '../fleet/simulated/screen/glyphs.ts'

/** The letters by their rows. */
const letters = new Map(
  Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).map((letter) => [
    glyphRows(letter).join(),
    letter,
  ]),
)

/** A viewer of a screen that always waits for the next picture. */
export class RfbClient {
  width = 0
  height = 0
  name = ''
  updates = 0
  /** One byte of red for each pixel: enough to tell ink from paper. */
  picture = new Uint8Array()
  #rest: Uint8Array = new Uint8Array()
  #phase: 'version' | 'security' | 'result' | 'greeting' | 'open' = 'version'

  constructor(
    private readonly send: (bytes: Uint8Array) => void,
    private readonly encodings: readonly number[] = [2, 0],
  ) {}

  receive(bytes: Uint8Array): void {
    this.#rest = joined(this.#rest, bytes)
    for (let length = this.#step(); length > 0; length = this.#step()) this.#rest = this.#rest.slice(length)
  }

  key(symbol: number, isDown: boolean): void {
    const bytes = Uint8Array.of(4, Number(isDown), 0, 0, 0, 0, 0, 0)
    viewOf(bytes).setUint32(4, symbol)
    this.send(bytes)
  }

  type(text: string): void {
    for (const letter of text) {
      const symbol = letter === '\r' ? 0xff0d : (letter.codePointAt(0) ?? 0)
      this.key(symbol, true)
      this.key(symbol, false)
    }
  }

  pointer(buttons: number, x: number, y: number): void {
    const bytes = Uint8Array.of(5, buttons, 0, 0, 0, 0)
    viewOf(bytes).setUint16(2, x)
    viewOf(bytes).setUint16(4, y)
    this.send(bytes)
  }

  request(isIncremental: boolean): void {
    const bytes = new Uint8Array(10)
    bytes.set([3, Number(isIncremental)])
    viewOf(bytes).setUint16(6, this.width)
    viewOf(bytes).setUint16(8, this.height)
    this.send(bytes)
  }

  /** What a text console of the simulation shows. */
  text(): string {
    const rows: string[] = []
    for (let y = 0; y + CELL_HEIGHT <= this.height; y += CELL_HEIGHT) {
      let row = ''
      for (let x = 0; x + CELL_WIDTH <= this.width; x += CELL_WIDTH) row += this.#letterAt(x, y)
      rows.push(row.trimEnd())
    }
    return rows.join('\n')
  }

  #letterAt(x: number, y: number): string {
    const rows = Array.from({ length: CELL_HEIGHT }, (_, line) => {
      let bits = 0
      for (let dot = 0; dot < CELL_WIDTH; dot++)
        bits = bits * 2 + Number((this.picture[(y + line) * this.width + x + dot] ?? 0) > 128)
      return bits
    })
    const letter = letters.get(rows.join())
    if (letter !== undefined) return letter
    return rows.every((bits) => bits === rows[0]) ? '_' : '?'
  }

  /** The length of the next thing that the server says, once it is complete and dealt with; 0 before. */
  #step(): number {
    const bytes = this.#rest
    const view = viewOf(bytes)
    switch (this.#phase) {
      case 'version':
        if (bytes.length < 12) return 0
        this.send(new TextEncoder().encode(rfbVersion))
        this.#phase = 'security'
        return 12
      case 'security':
        if (bytes.length < 2) return 0
        this.send(Uint8Array.of(noSecurity))
        this.#phase = 'result'
        return 1 + (bytes[0] ?? 0)
      case 'result':
        if (bytes.length < 4) return 0
        this.send(Uint8Array.of(0))
        this.#phase = 'greeting'
        return 4
      case 'greeting': {
        if (bytes.length < 24 || bytes.length < 24 + view.getUint32(20)) return 0
        this.name = new TextDecoder().decode(bytes.subarray(24, 24 + view.getUint32(20)))
        this.#resize(view.getUint16(0), view.getUint16(2))
        this.#phase = 'open'
        this.#begin()
        return 24 + view.getUint32(20)
      }
      default:
        return this.#message(bytes, view)
    }
  }

  #begin(): void {
    const format = new Uint8Array(20)
    format.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16], 4)
    this.send(format)
    const encodings = new Uint8Array(4 + 4 * this.encodings.length)
    encodings[0] = 2
    viewOf(encodings).setUint16(2, this.encodings.length)
    this.encodings.forEach((encoding, index) => viewOf(encodings).setInt32(4 + 4 * index, encoding))
    this.send(encodings)
    this.request(false)
  }

  #message(bytes: Uint8Array, view: DataView): number {
    if (bytes.length === 0) return 0
    if (bytes[0] === 2) return 1
    if (bytes[0] === 3)
      return bytes.length >= 8 && bytes.length >= 8 + view.getUint32(4) ? 8 + view.getUint32(4) : 0
    if (bytes[0] !== 0) throw new Error(`the server said ${bytes[0]}`)
    if (bytes.length < 4) return 0
    let at = 4
    const draws: (() => void)[] = []
    for (let count = view.getUint16(2); count > 0; count--) {
      if (bytes.length < at + 12) return 0
      const [x, y, width, height] = [0, 2, 4, 6].map((offset) => view.getUint16(at + offset)) as [
        number,
        number,
        number,
        number,
      ]
      const encoding = view.getInt32(at + 8)
      const begin = at + 12
      if (encoding === -223) {
        draws.push(() => this.#resize(width, height))
        at = begin
      } else if (encoding === 0) {
        at = begin + width * height * 4
        if (bytes.length < at) return 0
        draws.push(() => {
          for (let line = 0; line < height; line++)
            for (let dot = 0; dot < width; dot++)
              this.#fill(x + dot, y + line, 1, 1, bytes[begin + (line * width + dot) * 4] ?? 0)
        })
      } else if (encoding === 2) {
        if (bytes.length < begin + 8) return 0
        const parts = view.getUint32(begin)
        at = begin + 8 + parts * 12
        if (bytes.length < at) return 0
        draws.push(() => {
          this.#fill(x, y, width, height, bytes[begin + 4] ?? 0)
          for (let part = 0; part < parts; part++) {
            const place = begin + 8 + part * 12
            const [px, py, pw, ph] = [4, 6, 8, 10].map((offset) => view.getUint16(place + offset)) as [
              number,
              number,
              number,
              number,
            ]
            this.#fill(x + px, y + py, pw, ph, bytes[place] ?? 0)
          }
        })
      } else throw new Error(`the server encodes by ${encoding}`)
    }
    for (const draw of draws) draw()
    this.updates++
    this.request(true)
    return at
  }

  #fill(x: number, y: number, width: number, height: number, red: number): void {
    for (let line = y; line < y + height; line++)
      this.picture.fill(red, line * this.width + x, line * this.width + x + width)
  }

  #resize(width: number, height: number): void {
    this.width = width
    this.height = height
    this.picture = new Uint8Array(width * height)
  }
}
