import { hash, verify } from '@node-rs/argon2'
import type { Passwords } from '@gantry/control-plane/environment'

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Argon2id, the default of the library. The hash carries its own parameters and salt. */
export const argon2Passwords: Passwords = {
  hash: (password) => hash(password, cost),
  async verify(hashed, password) {
    try {
      return await verify(hashed, password)
    } catch {
      // A stored value that is not an argon2 hash verifies nothing.
      return false
    }
  },
}
