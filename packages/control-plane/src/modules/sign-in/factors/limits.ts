import { type Bucket, type Limit, networkOf } from '@gantry/control-plane/work/attempts'
import type { Cx } from '@gantry/control-plane/context/cx'

const codeFrom: Limit = { name: 'second-factor from', burst: 60, everySeconds: 6 }
/**
 * Guessing requires the password, and three of a million codes are valid: one attempt in three minutes finds
 * none.
 */
const codeOf: Limit = { name: 'second-factor of', burst: 10, everySeconds: 180 }
const passkeyFrom: Limit = { name: 'passkey from', burst: 60, everySeconds: 6 }
/** Each leaves a row until it expires. */
const challengeFrom: Limit = { name: 'passkey-challenge from', burst: 60, everySeconds: 5 }

const from = ({ request }: Cx): string => networkOf(request.address)

/** The cost of one code attempt, from an authenticator app or for recovery. */
export const codeAttempts = (cx: Cx, personId: string): Bucket[] => [
  { limit: codeFrom, of: from(cx) },
  { limit: codeOf, of: personId },
]

/** Signatures cannot be guessed: this limits the work of verifying them. */
export const passkeyAttempts = (cx: Cx): Bucket[] => [{ limit: passkeyFrom, of: from(cx) }]

export const challengeAttempts = (cx: Cx): Bucket[] => [{ limit: challengeFrom, of: from(cx) }]
