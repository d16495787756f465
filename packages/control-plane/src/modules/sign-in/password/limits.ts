import { type Bucket, type Limit, networkOf } from '@gantry/control-plane/work/attempts'
import type { Cx } from '@gantry/control-plane/context/cx'

/**
 * Per address, whatever is guessed: generous enough for an office of people who mistype, but not for a
 * dictionary.
 */
const byAddress = (name: string): Limit => ({ name: `${name} from`, burst: 60, everySeconds: 6 })

const userCodeFrom = byAddress('user-code')
const assertionFrom = byAddress('assertion')
/**
 * Guesses of one account's password from one address: ten, then one each half minute; after thirty, one every
 * five minutes.
 */
const quick: Limit = { name: 'password of-from', burst: 10, everySeconds: 30 }
const slow: Limit = { name: 'password of-from, slow', burst: 30, everySeconds: 300 }
/** The same for one known device, at any address. */
const quickByDevice: Limit = { ...quick, name: 'password by' }
const slowByDevice: Limit = { ...slow, name: 'password by, slow' }
/** Failures per address and per account, beyond which each account from each address has a stricter limit. */
const passwordFrom = byAddress('password')
const passwordOf: Limit = { name: 'password of', burst: 50, everySeconds: 10 }
const crowdedAddress: Limit = { name: 'password of-from, address', burst: 2, everySeconds: 120 }
const besiegedAccount: Limit = { name: 'password of-from, account', burst: 2, everySeconds: 120 }
/** Each costs a signature if the silo signs its requests, and a whole office may sign in at nine. */
const samlRequestFrom: Limit = { name: 'saml-request from', burst: 300, everySeconds: 1 }
const userCodeBy: Limit = { name: 'user-code by', burst: 10, everySeconds: 30 }
/** Each leaves a row until it expires. */
const deviceFrom: Limit = { name: 'device from', burst: 30, everySeconds: 10 }
/** A device asks every five seconds for its token, the interval of RFC 8628 where none is given; three times at once. */
const pollOf: Limit = { name: 'device poll of', burst: 3, everySeconds: 5 }

export const from = (cx: Cx): string => networkOf(cx.request.address)

/**
 * The cost of a password attempt, whether or not the account exists. Failures of others never lock anyone
 * out: where an address or an account has many failures, each account from each address has two attempts,
 * then one every two minutes; a known device pays only for itself.
 */
export function passwordAttempts(cx: Cx, account: string, knownDevice: string | undefined): Bucket[] {
  if (knownDevice !== undefined)
    return [quickByDevice, slowByDevice].map((limit) => ({ limit, of: `${account} ${knownDevice}` }))
  const pair = `${account} ${from(cx)}`
  return [
    { limit: quick, of: pair },
    { limit: slow, of: pair },
    { limit: passwordFrom, of: from(cx), otherwise: { limit: crowdedAddress, of: pair } },
    { limit: passwordOf, of: account, otherwise: { limit: besiegedAccount, of: pair } },
  ]
}

export const userCodeAttempts = (cx: Cx): Bucket[] => [
  { limit: userCodeFrom, of: from(cx) },
  { limit: userCodeBy, of: cx.user().user_id },
]

export const assertionAttempts = (cx: Cx): Bucket[] => [{ limit: assertionFrom, of: from(cx) }]

export const deviceAttempts = (cx: Cx): Bucket[] => [{ limit: deviceFrom, of: from(cx) }]

export const devicePolls = (deviceCodeHash: string): Bucket[] => [{ limit: pollOf, of: deviceCodeHash }]

export const samlRequestAttempts = (cx: Cx): Bucket[] => [{ limit: samlRequestFrom, of: from(cx) }]
