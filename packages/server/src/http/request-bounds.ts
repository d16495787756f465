import type { Settings } from '@gantry/control-plane/settings'
import { KeyedLimit } from './keyed-limit.ts'

export type Limits = Settings['http']

/** The slot of one pending request. */
export interface Slot {
  /**
   * Set when there is no slot for its work: it gets a refusal, and counts for its connection until that is
   * sent.
   */
  full: 'address' | 'server' | undefined
  /** The handler's work counts until it is done, even if the client has disconnected. */
  handle: <Result>(work: Promise<Result>) => Promise<Result>
  /** From here on it costs next to nothing, like an open event stream, and counts only for its connection. */
  settle: () => void
  /** The response is sent, or never will be. */
  close: () => void
  /** Resolves when that is so. */
  sent: Promise<void>
}

/**
 * Limits concurrent requests. Each holds memory until its response is sent, so an unlimited number could end
 * the process: by pipelining, by many connections, or by disconnecting early.
 */
export function requestBounds(limits: Limits) {
  const connections = new KeyedLimit<object>()
  const addresses = new KeyedLimit<string>()
  const all = new KeyedLimit<true>()

  function enterAddress(address: string): Slot['full'] {
    if (!addresses.enter(address, limits.requests_per_address)) return 'address'
    if (all.enter(true, limits.requests)) return undefined
    addresses.leave(address)
    return 'server'
  }

  /** Undefined if the connection already has `maxRequests` requests. */
  return function enter(from: {
    connection: object
    maxRequests: number
    address: string
  }): Slot | undefined {
    const { connection, maxRequests, address } = from
    if (!connections.enter(connection, maxRequests)) return undefined
    const full = enterAddress(address)
    let isSettled = full !== undefined
    let isHandled = true
    let isClosed = false
    let isOver = false
    const settle = (): void => {
      if (isSettled) return
      isSettled = true
      addresses.leave(address)
      all.leave(true)
    }
    const leaveOnceDone = (): void => {
      if (isOver || !isHandled || !isClosed) return
      isOver = true
      settle()
      connections.leave(connection)
    }
    let endSent = (): void => {}
    const sent = new Promise<void>((resolve) => (endSent = resolve))
    return {
      full,
      settle,
      sent,
      async handle(work) {
        isHandled = false
        try {
          return await work
        } finally {
          isHandled = true
          leaveOnceDone()
        }
      },
      close() {
        isClosed = true
        endSent()
        leaveOnceDone()
      },
    }
  }
}
