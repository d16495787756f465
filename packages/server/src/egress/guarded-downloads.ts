import type http from 'node:http'
import { knownNet } from '@gantry/api/base/ip.rules'
import { type DownloadedPart, DownloadFailed, type Downloads } from '@gantry/control-plane/blocks/downloads'
import type { Settings } from '@gantry/control-plane/settings'
import type { Checks } from './destination.ts'
import { followed } from './followed.ts'
import { EgressFailed, EgressRefused } from './refused.ts'
import { lookUp, type Resolve } from './resolve.ts'

interface Limits {
  /** For names, connections, redirects and headers. */
  answerMs: number
  /** While the server is waited for, this many bytes must arrive in this time. */
  windowMs: number
  windowBytes: number
}
const usual: Limits = { answerMs: 60_000, windowMs: 60_000, windowBytes: 1024 * 1024 }

/** Mirrors redirect several times. */
const MAX_REDIRECTS = 5

const byHand = 'Download the file, then upload it.'
const later = `Try again later. If it keeps failing, ${byHand[0]?.toLowerCase()}${byHand.slice(1)}`

/**
 * Files at user-supplied URLs. They come from the public internet and the networks that the operator allows, and never
 * from what only this server can reach: the user who names a URL gets to read what is there.
 */
export function guardedDownloads(
  { allowed_networks }: Pick<Settings['image_import'], 'allowed_networks'>,
  resolve: Resolve = lookUp,
  limits: Limits = usual,
): Downloads {
  const checks: Checks = { allowed: allowed_networks.map(knownNet), resolve }
  return {
    async open(url, from, outer) {
      const ending = new AbortController()
      const signal = AbortSignal.any([outer, ending.signal])
      const timer = setTimeout(() => ending.abort(noAnswer), limits.answerMs)
      try {
        const headers = from && { range: `bytes=${from.offset}-`, 'if-range': from.validator }
        const response = await followed(url, checks, {
          signal,
          redirects: MAX_REDIRECTS,
          ...(headers && { headers }),
        })
        try {
          const { size, offset } = placeOf(response, from)
          return {
            size,
            offset,
            validator: validatorOf(response),
            contentType: response.headers['content-type']?.split(';')[0]?.trim().toLowerCase(),
            pieces: paced(response, ending, signal, limits),
          }
        } catch (error) {
          response.destroy()
          throw error
        }
      } catch (error) {
        throw explained(error, signal)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Which part of the file follows. */
function placeOf(
  { statusCode = 0, headers }: http.IncomingMessage,
  from: DownloadedPart | undefined,
): { size: number | undefined; offset: number } {
  if (!(statusCode === 200 || (from && statusCode === 206))) throw wrongStatus(statusCode)
  // A compressed transfer says nothing about the size of the file, and could expand far beyond any limit.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new DownloadFailed('The server compresses the file for its transfer.', byHand, 'lasting')
  const length = headers['content-length']
  if (statusCode === 200) return { size: length === undefined ? undefined : Number(length), offset: 0 }
  const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(first) !== from?.offset)
    throw new DownloadFailed(
      'The server sent another part of the file than was asked for.',
      byHand,
      'lasting',
    )
  return { size: Number(total), offset: from.offset }
}

/** A weak tag does not promise the same bytes. */
function validatorOf({ headers }: http.IncomingMessage): string | undefined {
  if (headers['accept-ranges'] === 'none') return undefined
  const { etag } = headers
  return etag === undefined || etag.startsWith('W/') ? headers['last-modified'] : etag
}

/** The content, unless it comes too slowly. Time for which the reader makes the server wait does not count. */
async function* paced(
  response: http.IncomingMessage,
  ending: AbortController,
  signal: AbortSignal,
  { windowMs, windowBytes }: Limits,
): AsyncGenerator<Uint8Array> {
  const pieces = (response as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  let waited = 0
  let arrived = 0
  try {
    for (;;) {
      const began = performance.now()
      const timer = setTimeout(() => ending.abort(tooSlow), Math.max(0, windowMs - waited))
      const next = await pieces.next().finally(() => clearTimeout(timer))
      if (next.done) return
      waited += performance.now() - began
      arrived += next.value.length
      if (arrived >= windowBytes) [waited, arrived] = [0, 0]
      yield next.value
    }
  } catch (error) {
    throw explained(error, signal)
  } finally {
    response.destroy()
  }
}

const noAnswer = new DownloadFailed('The server did not answer in time.', later, 'passing')
const tooSlow = new DownloadFailed('The server sends less than 1 MiB a minute.', later, 'passing')

const advice: Readonly<Record<number, string>> = {
  401: 'Use an address that needs no sign-in, or download the file and upload it.',
  403: 'Use an address that needs no sign-in, or download the file and upload it.',
  404: 'Check the address.',
  410: 'Check the address.',
}

/** Others than these may change: the server is busy, or has a fault. */
const isLasting = (status: number): boolean =>
  status < 500 && status !== 408 && status !== 425 && status !== 429

const wrongStatus = (status: number): DownloadFailed =>
  new DownloadFailed(
    status === 404
      ? 'The server has no such file (status 404).'
      : `The server answered with status ${status}.`,
    advice[status] ?? later,
    isLasting(status) ? 'lasting' : 'passing',
  )

function explained(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason as unknown
  if (error instanceof DownloadFailed) return error
  if (error instanceof EgressRefused)
    return new DownloadFailed(
      `This server does not fetch files from there: ${error.message}.`,
      'Use a public address, or ask the operator to allow its network.',
      'lasting',
      { cause: error },
    )
  const { cause = error, message } = error as Error
  // What this server did not like about an answer; anything else is of the network.
  if (error instanceof EgressFailed && error.cause === undefined)
    return new DownloadFailed(`The file could not be fetched: ${message}.`, byHand, 'lasting', { cause })
  const isCertificate = /certificate|self-signed/i.test(message)
  return new DownloadFailed(
    isCertificate
      ? `The certificate of the server is not valid: ${message}.`
      : 'The server could not be reached, or the connection broke.',
    isCertificate ? byHand : later,
    isCertificate ? 'lasting' : 'passing',
    { cause },
  )
}
