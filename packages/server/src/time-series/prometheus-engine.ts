import { readFile } from 'node:fs/promises'
import type { Log, SampleEngine } from '@gantry/control-plane/environment'
import type { Settings } from '@gantry/control-plane/settings'
import { readRequest, readResponse, writeRequest } from './remote-protocol.ts'

type EngineSettings = NonNullable<Settings['metrics']['engine']>

/** Timeseries of one request: some megabytes before they are compressed. */
const seriesAtOnce = 5000
const versions = { write: '0.1.0', read: '0.1.0' } as const

/** Samples in Prometheus, or in an engine that speaks its remote write and remote read. */
export function prometheusEngine(
  { write_url, read_url, token_file, timeout_seconds }: EngineSettings,
  log: Log,
): SampleEngine {
  const send = async (
    url: string,
    what: keyof typeof versions,
    body: Uint8Array<ArrayBuffer>,
    signal?: AbortSignal,
  ): Promise<Response> => {
    try {
      const deadline = AbortSignal.timeout(timeout_seconds * 1000)
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-protobuf',
          'content-encoding': 'snappy',
          [`x-prometheus-remote-${what}-version`]: versions[what],
          // Read each time: tokens are renewed in place.
          ...(token_file && { authorization: `Bearer ${(await readFile(token_file, 'utf8')).trim()}` }),
        },
        body,
        redirect: 'error',
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      })
      if (!answer.ok) throw new Error(`${answer.status}: ${(await answer.text()).slice(0, 500)}`)
      return answer
    } catch (error) {
      if (!signal?.aborted) log.warn({ err: error, url }, `the time-series engine failed to ${what}`)
      throw error
    }
  }
  return {
    async write(series) {
      for (let from = 0; from < series.length; from += seriesAtOnce) {
        const answer = await send(write_url, 'write', writeRequest(series.slice(from, from + seriesAtOnce)))
        await answer.arrayBuffer()
      }
    },
    async read(wanted) {
      if (wanted.from >= wanted.to) return []
      const answer = await send(read_url, 'read', readRequest(wanted), wanted.signal)
      return readResponse(new Uint8Array(await answer.arrayBuffer()))
    },
  }
}
