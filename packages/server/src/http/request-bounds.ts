import type { Settings } from '@gantry/control-plane/settings'
import { Tally } from './tally.ts'

export type Limits = Settings['http']

/** The place of one request among those being answered. */
export interface Slot {
  /** Set where there is no place for its work: it gets a refusal, and counts for its connection until that is sent. */
  full: 'address' | 'server' | undefined
  /** The handler's work counts until it is done, also where the client is gone. */
  handle: <Result>(work: Promise<Result>) => Promise<Result>
  /** From here on it costs next to nothing, as an open stream of events does, and counts for its connection alone. */
  settle: () => void
  /** The answer is on its way, or never will be. */
  close: () => void
}

/**
 * Bounds how many requests are answered at once. Each holds memory until its answer is gone, so whoever may have any
 * number of them at once can end the process: by sending ahead, by many connections, or by leaving before the answer.
 */
export function requestBounds(limits: Limits) {
  const connections = new Tally<object>()
  const addresses = new Tally<string>()
  const all = new Tally<true>()

  function enterAddress(address: string): Slot['full'] {
    if (!addresses.enter(address, limits.requests_per_address)) return 'address'
    if (all.enter(true, limits.requests)) return undefined
    addresses.leave(address)
    return 'server'
  }

  /** Undefined where the connection has `mostThere` requests already. */
  return function enter(from: { connection: object; mostThere: number; address: string }): Slot | undefined {
    const { connection, mostThere, address } = from
    if (!connections.enter(connection, mostThere)) return undefined
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
    return {
      full,
      settle,
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
        leaveOnceDone()
      },
    }
  }
}
