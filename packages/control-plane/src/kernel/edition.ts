import { type Edition, editionHeader, editions } from '@gantry/api/edition.rules'
import { invalid } from './refusal.ts'

/** The edition of the API that a request names; without a name it is the base edition. */
export function editionOf(headers: Headers): Edition {
  const named = headers.get(editionHeader)
  if (named === null || named === editions.base) return 'base'
  if (named === editions.later) return 'later'
  throw invalid(
    `unsupported API version: ${named.slice(0, 64)}`,
    `Send ${editions.base} or ${editions.later} as ${editionHeader}, or leave the header out.`,
  )
}
