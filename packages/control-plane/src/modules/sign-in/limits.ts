import { type Bucket, type Limit, networkOf } from '../../kernel/attempts.ts'
import type { Cx } from '../../kernel/cx.ts'

/** From one address, whatever it is that is guessed: an office of people who mistype gets by, a list of names does not. */
const byAddress = (name: string): Limit => ({ name: `${name} from`, burst: 60, everySeconds: 6 })

const passwordFrom = byAddress('password')
const userCodeFrom = byAddress('user-code')
const assertionFrom = byAddress('assertion')
/** Of one account from one address: refilled more slowly than the account's own, so that no single guesser shuts it. */
const passwordOfFrom: Limit = { name: 'password of-from', burst: 10, everySeconds: 30 }
/** Of one account from everywhere. */
const passwordOf: Limit = { name: 'password of', burst: 50, everySeconds: 10 }
const userCodeBy: Limit = { name: 'user-code by', burst: 10, everySeconds: 30 }
/** Each leaves a row until it expires. */
const deviceFrom: Limit = { name: 'device from', burst: 30, everySeconds: 10 }

const from = (cx: Cx): string => networkOf(cx.request.address)

/** What a try of a password costs; the account need not be there. */
export function passwordAttempts(cx: Cx, siloName: string, username: string): Bucket[] {
  const account = `${siloName}/${username}`
  return [
    { limit: passwordFrom, of: from(cx) },
    { limit: passwordOfFrom, of: `${account} ${from(cx)}` },
    { limit: passwordOf, of: account },
  ]
}

export const userCodeAttempts = (cx: Cx): Bucket[] => [
  { limit: userCodeFrom, of: from(cx) },
  { limit: userCodeBy, of: cx.user().user_id },
]

export const assertionAttempts = (cx: Cx): Bucket[] => [{ limit: assertionFrom, of: from(cx) }]

export const deviceAttempts = (cx: Cx): Bucket[] => [{ limit: deviceFrom, of: from(cx) }]
