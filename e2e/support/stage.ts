import type { Page } from '@playwright/test'

export type User = 'admin' | 'member' | 'viewer' | 'ines' | 'omar' | 'petra'

/** The environment of a test: browser and control plane. */
export interface Stage {
  /** Opens `path`, signed in as a user or signed out. */
  open: (who: User | 'nobody', path: string) => Promise<Page>
  /** Calls the API as a user, to create fixtures; throws if refused. */
  api: (user: User, method: string, path: string, body?: unknown) => Promise<unknown>
  /** Runs after the test. */
  clear: () => Promise<void>
}

export const viewport = { width: 1440, height: 900 }

export interface Answer {
  status: number
  text: string
}

/** The body of a response; throws if it is a refusal. */
export function bodyOf(method: string, path: string, { status, text }: Answer): unknown {
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
