import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { canonicalJson } from './canonical-json.ts'

/** Each signature costs about a millisecond to verify. */
const atMost = 32
const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))
const time = z.iso.datetime({ offset: true })
const version = z.number().int().positive()
const specification = z.string().regex(/^1\.\d+(\.\d+)?$/, 'expected version 1 of the specification')

const Key = z.looseObject({
  keytype: z.literal('ed25519'),
  scheme: z.literal('ed25519'),
  keyval: z.looseObject({ public: hex(64) }),
})
const Role = z.looseObject({
  keyids: z.array(hex(64)).min(1).max(atMost),
  threshold: z.number().int().positive(),
})

/** A signed document. Unknown fields are signed too, and kept. */
const signedAs = <Signed extends z.ZodType>(signed: Signed) =>
  z.looseObject({
    signed,
    signatures: z.array(z.looseObject({ keyid: hex(64), sig: hex(128) })).max(2 * atMost),
  })

/** A root role of The Update Framework: keys and their roles. */
export const RootRole = signedAs(
  z.looseObject({
    _type: z.literal('root'),
    spec_version: specification,
    version,
    expires: time,
    keys: z
      .record(hex(64), Key)
      .refine((keys) => Object.keys(keys).length <= atMost, `at most ${atMost} keys`),
    roles: z.looseObject({ root: Role, targets: Role }),
  }),
)
export type RootRole = z.infer<typeof RootRole>

/** The signed list of a repository's files. */
export const TargetsRole = signedAs(
  z.looseObject({
    _type: z.literal('targets'),
    spec_version: specification,
    version,
    expires: time,
    targets: z.record(
      z.string(),
      z.looseObject({ length: z.number().int().nonnegative(), hashes: z.looseObject({ sha256: hex(64) }) }),
    ),
  }),
)
export type TargetsRole = z.infer<typeof TargetsRole>

/** The id of a key is the hash of its description, so that no id has two keys. */
export const keyIdOf = (key: unknown): string =>
  bytesToHex(sha256(new TextEncoder().encode(canonicalJson(key) ?? '')))

/** Why the document lacks signatures of the role; undefined if there are enough. */
export function signatureProblem(
  { keys, roles }: RootRole['signed'],
  role: 'root' | 'targets',
  { signed, signatures }: { signed: unknown; signatures: RootRole['signatures'] },
): string | undefined {
  const text = canonicalJson(signed)
  if (text === undefined) return 'a number in it is not whole, so that it has no signed form'
  const bytes = new TextEncoder().encode(text)
  const { keyids, threshold } = roles[role]
  const valid = new Set<string>()
  for (const { keyid, sig } of signatures) {
    const key = keys[keyid]
    if (!key || valid.has(keyid) || !keyids.includes(keyid) || keyIdOf(key) !== keyid) continue
    if (isSignedBy(key.keyval.public, sig, bytes)) valid.add(keyid)
  }
  return valid.size >= threshold
    ? undefined
    : `${valid.size} of ${threshold} required signatures of role ${role} are valid`
}

function isSignedBy(publicKey: string, signature: string, bytes: Uint8Array): boolean {
  try {
    return ed25519.verify(hexToBytes(signature), bytes, hexToBytes(publicKey))
  } catch {
    // The public key is not a point on the curve.
    return false
  }
}

/** The first problem with the form of a role's document. */
export const shapeProblem = ({ issues: [issue] }: z.ZodError): string =>
  issue ? `${issue.path.join('.') || 'document'}: ${issue.message}` : 'it has another shape'
