import { type Edition, editionHeader, editionOfVersion, editions } from '@gantry/api/editions/edition.rules'
import { Refusal } from '../context/refusal.ts'

/** The edition of the API for the version that a request names; without one it is the base edition. */
export function editionOf(headers: Headers): Edition {
  const named = headers.get(editionHeader)
  if (named === null) return 'base'
  const edition = editionOfVersion(named)
  if (edition === 'base' || edition === 'later') return edition
  const shown = named.slice(0, 64)
  const problem = edition === 'newer' ? 'unsupported API version' : `bad value of the header ${editionHeader}`
  throw new Refusal(undefined, `${problem}: ${shown}`, {
    help: `Send a version up to ${editions.later} as ${editionHeader}, or leave the header out.`,
  })
}
