import type { Cx } from './cx.ts'
import { invalidValue } from './refusal.ts'

/**
 * Seals a secret that a user chose. Without a key it stays unsealed, and one in the form of a sealed secret would make the
 * next start wait for the key that it names.
 */
export async function sealUserSecret(
  { services: { seal } }: Cx,
  label: string,
  secret: string,
): Promise<string> {
  const sealed = await seal.seal(secret)
  if (!seal.isCurrent(sealed)) throw invalidValue(label, 'has the form of a sealed secret; choose another')
  return sealed
}
