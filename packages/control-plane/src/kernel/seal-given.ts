import type { Cx } from './cx.ts'
import { invalidValue } from './refusal.ts'

/** Seals a secret that a user chose. Without a key it is stored as it is, and must not pass for a sealed one. */
export async function sealGiven(cx: Cx, label: string, secret: string): Promise<string> {
  if (secret.startsWith('sealed:')) throw invalidValue(label, 'must not begin with "sealed:"')
  return cx.services.seal.seal(secret)
}
