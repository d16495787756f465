import { invalidValue } from '@gantry/control-plane/kernel/refusal'

const timeoutMs = 5000
/** As of any body: descriptions of one provider take a few kilobytes. */
const maxBytes = 1024 * 1024

/** What an address answers. Only its status is told, so that nobody reads what only this server can reach. */
export async function fetchMetadata(url: string): Promise<string> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidValue('url', `error querying url: ${JSON.stringify(url)} is not a web address`)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), credentials: 'omit' })
    if (!response.ok) throw invalidValue('url', `querying url returned: ${response.status}`)
    return await limitedText(response)
  } catch (error) {
    if ((error as Error).name === 'Refusal') throw error
    const why = (error as Error).name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : 'no answer'
    throw invalidValue('url', `error querying url: ${why}`)
  }
}

async function limitedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > maxBytes) throw invalidValue('url', `querying url returned more than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
