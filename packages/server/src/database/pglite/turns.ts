import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'

/** Gives one holder at a time exclusive access, in order of request. */
export interface Turns {
  /** Resolves on the caller's turn, which the caller must `release`. */
  acquire: () => Promise<void>
  release: () => void
}

export function turns(waitMs: number): Turns {
  const queue: (() => void)[] = []
  let isTaken = false
  return {
    acquire() {
      if (!isTaken) {
        isTaken = true
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.splice(queue.indexOf(mine), 1)
          reject(
            new DatabaseUnreachable(
              `waited ${waitMs / 1000} s for the embedded database: it is overloaded, ` +
                'or a transaction is using the outer handle instead of its own',
            ),
          )
        }, waitMs)
        const mine = (): void => {
          clearTimeout(timer)
          resolve()
        }
        queue.push(mine)
      })
    },
    release() {
      const next = queue.shift()
      if (next) next()
      else isTaken = false
    },
  }
}
