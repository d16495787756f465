import { type ClientMessage, viewOf } from './client-messages.ts'

/** More keys than anybody holds down at once. */
const HELD_MAX = 64

/**
 * What a viewer holds down. Who loses the keyboard in the middle of a word would otherwise leave a key held: the guest
 * would repeat it for ever.
 */
export class HeldKeys {
  /** The message that lets each go. */
  readonly #keys = new Map<string, Uint8Array>()
  #pointer: Uint8Array | undefined

  /** Notes what has been passed on. */
  note(message: ClientMessage): void {
    if (message.kind === 'key') this.#noteKey(message.bytes, message.isDown)
    if (message.kind === 'pointer') this.#pointer = message.buttons === 0 ? undefined : letGo(message.bytes)
  }

  /** Messages that let everything go that is held. */
  release(): Uint8Array[] {
    const messages = [...this.#keys.values(), ...(this.#pointer ? [this.#pointer] : [])]
    this.#keys.clear()
    this.#pointer = undefined
    return messages
  }

  #noteKey(bytes: Uint8Array, isDown: boolean): void {
    const up = bytes.slice()
    // The flag of either form of the message.
    if (up[0] === 4) up[1] = 0
    else viewOf(up).setUint16(2, 0)
    const name = up.join()
    if (!isDown) this.#keys.delete(name)
    else if (this.#keys.size < HELD_MAX) this.#keys.set(name, up)
  }
}

function letGo(bytes: Uint8Array): Uint8Array {
  const up = bytes.slice()
  up[1] = 0
  return up
}
