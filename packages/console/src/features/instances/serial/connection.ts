export type ConsoleState =
  | { status: 'connecting' }
  | { status: 'connected' }
  /** The connection ended; `reason` as given by the server. */
  | { status: 'disconnected'; reason?: string; retryAt?: number }
  /** The connection could not be opened. If the terminal could not be opened either, there is no automatic retry. */
  | { status: 'error'; reason?: string; retryAt?: number }

/** The required part of WebSocket. */
export interface Socket {
  binaryType: BinaryType
  readonly readyState: number
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { reason: string }) => void) | null
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  close: () => void
}

interface Options {
  connect: () => Socket
  /** A connection opens; its history follows from the start. */
  onOpen: () => void
  onOutput: (output: Uint8Array | string) => void
  onState: (state: ConsoleState) => void
  now?: () => number
}

export interface Connection {
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  /** Connects without waiting for the next attempt. */
  retry: () => void
  close: () => void
}

export const retryMs: readonly number[] = [1000, 2000, 5000, 10_000, 15_000]
/** A connection that lasted this long was stable: the backoff resets. */
export const stableMs = 5000
const open = 1

/** Keeps a serial console connected until it is closed, with growing pauses between attempts. */
export function keepConnected(options: Options): Connection {
  const { connect, onOpen, onOutput, onState, now = Date.now } = options
  let attempt = 0
  let socket: Socket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function begin(): void {
    clearTimeout(timer)
    onState({ status: 'connecting' })
    let openedAt: number | undefined
    const own = connect()
    socket = own
    own.binaryType = 'arraybuffer'
    own.onopen = () => {
      openedAt = now()
      onOpen()
      onState({ status: 'connected' })
    }
    own.onmessage = ({ data }) => {
      if (typeof data === 'string') onOutput(data)
      else if (data instanceof ArrayBuffer) onOutput(new Uint8Array(data))
    }
    own.onclose = ({ reason }) => {
      if (openedAt !== undefined && now() - openedAt >= stableMs) attempt = 0
      const pause = retryMs[Math.min(attempt, retryMs.length - 1)] ?? 1000
      attempt += 1
      timer = setTimeout(begin, pause)
      onState({
        status: openedAt === undefined ? 'error' : 'disconnected',
        ...(reason && { reason }),
        retryAt: now() + pause,
      })
    }
  }

  function drop(): void {
    clearTimeout(timer)
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  begin()
  return {
    send: (bytes) => {
      if (socket?.readyState === open) socket.send(bytes)
    },
    retry: () => {
      drop()
      begin()
    },
    close: drop,
  }
}
