import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { versionNamed } from '@gantry/api/versions/version.rules'
import { Refusal } from '../context/refusal.ts'

/** The version of the API that a request names, or the one that answers for it; undefined if it names none. */
export function versionOf(headers: Headers): number | undefined {
  const named = headers.get(versionHeader)
  if (named === null) return undefined
  const version = versionNamed(named)
  if (typeof version === 'number') return version
  const shown = named.slice(0, 64)
  const problem = version === 'newer' ? 'unsupported API version' : `bad value of the header ${versionHeader}`
  throw new Refusal(undefined, `${problem}: ${shown}`, {
    help: `Send a version up to ${newestVersionText} as ${versionHeader}, or leave the header out.`,
  })
}
