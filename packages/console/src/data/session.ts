import type { OutputOf } from '@gantry/api/client/client'

export type CurrentUser = OutputOf<'currentUserView'>
type Waiting = { resolve: () => void; reject: (reason: unknown) => void }

let user: CurrentUser | undefined
let hasEnded = false
let waiting: Waiting[] = []
const listeners = new Set<() => void>()

function set(next: { hasEnded: boolean }): void {
  hasEnded = next.hasEnded
  for (const listener of listeners) listener()
}

/**
 * The signed-in user, and whether the session has expired while the console is open. An expired session is renewed in
 * a dialog over the page, so that no input is lost.
 */
export const session = {
  begin(current: CurrentUser): void {
    user = current
    rememberSilo(current.siloName)
  },
  /**
   * Needs a page on screen: before the first page, or on the error screen, there is nothing to show the dialog over.
   */
  canBeRenewed: (): boolean => user !== undefined && listeners.size > 0,
  user: (): CurrentUser | undefined => user,
  end(): void {
    if (!hasEnded) set({ hasEnded: true })
  },
  hasEnded: (): boolean => hasEnded,
  renew(): void {
    const resumed = waiting
    waiting = []
    set({ hasEnded: false })
    for (const { resolve } of resumed) resolve()
  },
  /** Resolves when the user has signed in again. */
  renewed: (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry = { resolve, reject }
      waiting.push(entry)
      signal?.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== entry)
        reject(signal.reason as Error)
      })
    }),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

const siloKey = 'gantry-silo'

export const lastSilo = (): string | undefined => localStorage.getItem(siloKey) ?? undefined
export const rememberSilo = (silo: string): void => localStorage.setItem(siloKey, silo)
