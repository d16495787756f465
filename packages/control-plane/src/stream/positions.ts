import { ecb } from '@noble/ciphers/aes.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { installationKey, type KeyStore } from '../context/installation-key.ts'
import { onceEach } from '../context/once-each.ts'
import type { Services } from '../context/services.ts'

/** The key's name in the table. */
const keyName = 'change-position'
/** Bytes of one block of AES: the number, then noise, then zeros by which a block of ours is recognised. */
const block = { number: 6, noise: 6, zeros: 4 }
const size = block.number + block.noise + block.zeros

/**
 * Positions in the change stream, as clients hold them. The numbers behind them count the changes of all users, so a
 * position is one encrypted block: it does not tell how many changes there were, nor whether there were any since
 * another position.
 */
export class Positions {
  #key: Uint8Array | undefined
  #loading: Promise<void> | undefined

  constructor(private readonly store: KeyStore) {}

  /** Loads the key, once; before that, no position is known. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #load(): Promise<void> {
    this.#key = hexToBytes(await installationKey(this.store, keyName))
  }

  /** The position of a change number, as 32 hexadecimal digits, each time others; undefined before the key is loaded. */
  seal(number: number): string | undefined {
    if (!this.#key) return undefined
    const bytes = new Uint8Array(size)
    const view = new DataView(bytes.buffer)
    view.setUint16(0, Math.floor(number / 2 ** 32))
    view.setUint32(2, number % 2 ** 32)
    bytes.set(this.store.random(block.noise), block.number)
    return bytesToHex(cipher(this.#key).encrypt(bytes))
  }

  /** The change number behind a position; undefined if it is none of this installation. */
  open(position: string): number | undefined {
    if (!this.#key || !/^[0-9a-f]{32}$/.test(position)) return undefined
    const bytes = cipher(this.#key).decrypt(hexToBytes(position))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    return view.getUint32(size - block.zeros) === 0
      ? view.getUint16(0) * 2 ** 32 + view.getUint32(2)
      : undefined
  }
}

/** One block of AES. The library allows one encryption with each. */
const cipher = (key: Uint8Array) => ecb(key, { disablePadding: true })

/** Those of a process. */
export const positions = onceEach((services: Services) => new Positions(services))
