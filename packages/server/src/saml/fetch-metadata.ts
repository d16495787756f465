import { samlMetadataMaxBytes } from '@gantry/api/people/saml.rules'
import type { Log, Saml } from '@gantry/control-plane/environment'
import { invalidValue, unavailable } from '@gantry/control-plane/context/refusal'
import type { GuardedGet } from '../egress/guarded-get.ts'
import { EgressFailed, EgressRefused } from '../egress/refused.ts'
import { TooBusy } from '@gantry/control-plane/work/turns'

const timeoutMs = 5000

/** Fetches a URL through the guard. Failure details go only to the operator's log. */
export function fetchMetadataBy(get: GuardedGet, log: Log): Saml['fetchMetadata'] {
  return async (url) => {
    try {
      const { content, contentType } = await get(url, { maxBytes: samlMetadataMaxBytes, timeoutMs })
      return { bytes: new Uint8Array(content), charset: charsetOf(contentType) }
    } catch (error) {
      if (error instanceof TooBusy)
        throw unavailable('Too much metadata is being fetched at this moment. Try again in a few seconds.')
      if (error instanceof EgressRefused) throw problem(error.message, allowing)
      if (!(error instanceof EgressFailed)) throw error
      log.info({ url, why: error.message }, 'metadata of an identity provider was not fetched')
      throw problem('no metadata could be fetched', wanted)
    }
  }
}

const parameter = /;\s*charset\s*=\s*(?:"([^"]{1,40})"|([^\s;"]{1,40}))/i

function charsetOf(contentType: string | undefined): string | undefined {
  const [, quoted, bare] = parameter.exec(contentType ?? '') ?? []
  return quoted ?? bare
}

const problem = (why: string, help: string) => invalidValue('url', `error querying url: ${why}`, help)

const allowing =
  'Give an address on the internet, or send the document itself. ' +
  'The operator allows other networks with the setting egress.allowed_networks.'
const wanted =
  `The address must answer within ${timeoutMs / 1000} seconds with status 200 and up to ${samlMetadataMaxBytes} bytes, ` +
  'after three redirects at most. Otherwise send the document itself.'
