import type { Cx } from './cx.ts'
import { invalidValue } from './refusal.ts'

/**
 * Seals a secret that a user chose. Without a key it stays as it is, and one that looks sealed would keep the next start
 * waiting for the key that it names.
 */
export async function sealGiven({ services: { seal } }: Cx, label: string, secret: string): Promise<string> {
  const sealed = await seal.seal(secret)
  if (!seal.isCurrent(sealed)) throw invalidValue(label, 'has the form of a sealed secret; choose another')
  return sealed
}
