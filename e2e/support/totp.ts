import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const stepMs = 30_000
/** How long a slow page may take to send a code. */
const sendMs = 10_000

/** The code of the step before; waits for the next step unless the server will accept the code for a while. */
export async function previousCodeOf(key: string): Promise<string> {
  const left = stepMs - (Date.now() % stepMs)
  if (left < sendMs) await setTimeout(left)
  return totpOf(key, -1)
}

/** The code that an authenticator app shows for a key, some 30 s steps from now. */
export function totpOf(key: string, stepsAhead = 0): string {
  const bits = Array.from(key, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + stepsAhead))
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}
