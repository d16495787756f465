import type { ByteSocket, ControlPlane } from '@gantry/control-plane/environment'
import type { Operation } from './document.ts'
import type { Answered } from './judge.ts'
import type { Draft } from './draft.ts'

/** The request, or undefined if no client can express it: such requests are sent by sockets. */
export function requestOf({ method, path, query, headers, body, text }: Draft): Request | undefined {
  const search = query.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')
  const written = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const bodiless = method === 'GET' || method === 'HEAD'
  try {
    return new Request(`http://localhost${path}${search && `?${search}`}`, {
      method,
      headers,
      ...(written === undefined || bodiless ? {} : { body: written }),
    })
  } catch {
    return undefined
  }
}

/** Lone surrogates cannot be encoded; bodies cover them. */
const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))

/** All text of a request that could be echoed. */
export function spoken({ path, query, headers, body, text }: Draft): string {
  const written = typeof text === 'string' ? text : (JSON.stringify(body) ?? '')
  // A page token contains the selectors of its list.
  const tokens = query
    .filter(([key]) => key === 'page_token')
    .map(([, value]) => Buffer.from(value, 'base64').toString())
  return [decoded(path), ...query.flat(), ...tokens, decoded(written), ...Object.values(headers)].join('\n')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export async function receive(
  plane: ControlPlane,
  op: Operation | undefined,
  request: Request,
  address: string,
): Promise<Answered> {
  if (op?.id === 'instance_serial_console_stream' || op?.id === 'instance_screen_stream') {
    const answer = await plane.upgrade(request, { address })
    if (answer instanceof Response) return read(answer)
    return { status: 101, headers: new Headers(), text: await overhear(answer) }
  }
  if (op?.id !== 'change_stream') return read(await plane.fetch(request, { address }))
  const gone = new AbortController()
  const answer = await plane.fetch(new Request(request, { signal: gone.signal }), { address })
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return read(answer)
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const quiet = () => new Promise<undefined>((resolve) => setTimeout(resolve, 20, undefined))
  for (;;) {
    const piece = await Promise.race([reader?.read(), quiet()])
    if (!piece || piece.done) break
    text += decoder.decode(piece.value, { stream: true })
  }
  gone.abort()
  return { status: answer.status, headers: answer.headers, text }
}

async function read(answer: Response): Promise<Answered> {
  const { status, headers } = answer
  return { status, headers, text: await answer.text() }
}

/** The first message of a socket. */
async function overhear(accept: (socket: ByteSocket) => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const closes: (() => void)[] = []
  accept({
    send: (bytes) => void (text += decoder.decode(bytes, { stream: true })),
    close: () => undefined,
    onBytes: (listener) => listener(new TextEncoder().encode('ls\r\n\0\u{1f980}')),
    onClose: (listener) => void closes.push(listener),
    buffered: () => 0,
  })
  await new Promise((resolve) => setTimeout(resolve, 10))
  for (const close of closes) close()
  return text
}
