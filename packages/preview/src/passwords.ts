import type { Passwords } from '@gantry/control-plane/environment'

/** Few, because nothing outlives the page: guessing need not be expensive. */
const iterations = 1000

/** PBKDF2, which browsers provide: `pbkdf2:salt:bits`, both in hexadecimal. */
export const pbkdf2Passwords: Passwords = {
  async hash(password) {
    const salt = crypto.getRandomValues(new Uint8Array(16))
    return `pbkdf2:${hex(salt)}:${await derive(password, salt)}`
  },
  async verify(hash, password) {
    const [kind, salt = '', bits] = hash.split(':')
    return kind === 'pbkdf2' && bits === (await derive(password, bytesOf(salt)))
  },
}

async function derive(password: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, [
    'deriveBits',
  ])
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)
  return hex(new Uint8Array(bits))
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
