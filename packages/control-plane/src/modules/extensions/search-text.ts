import {
  type AddressRange,
  type Interval,
  isProblem,
  readAddresses,
  readId,
  readMac,
} from '@gantry/api/filter/filter-values.rules'
import { tagKeyProblem } from '@gantry/api/tags/tag.rules'

/** What a text may name besides a part of a name. */
export interface SearchText {
  words: string
  address?: AddressRange
  mac?: Interval
  id?: { first: string; last: string }
  /** Its value begins so. */
  tag?: { key: string; value: string }
}

/** Questions are read as what they ask for: `who has 10.0.0.7?` */
const question = /^(?:who\s+(?:has|is|uses|owns)|where\s+is|find)\s+|\s*\?+$/gi

/** Any word may consist of hexadecimal digits, so fewer of them are only part of a name. */
const idDigits = 8

export function readSearch(text: string): SearchText {
  const words = text.trim().replaceAll(question, '').trim()
  const address = readAddresses(words)
  const mac = /[:-]/.test(words) ? readMac(words) : { problem: '' }
  const id = words.replaceAll('-', '').length < idDigits ? { problem: '' } : readId(words)
  const [, key = '', value = ''] = /^(?:tag:)?([^=\s]+)=(.*)$/.exec(words) ?? []
  return {
    words,
    ...(isProblem(address) ? {} : { address }),
    ...(isProblem(mac) ? {} : { mac }),
    ...(isProblem(id) ? {} : { id }),
    ...(tagKeyProblem(key.toLowerCase()) === undefined && { tag: { key: key.toLowerCase(), value } }),
  }
}
