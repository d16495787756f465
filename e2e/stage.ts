import type { Page } from '@playwright/test'

export type User = 'admin' | 'member' | 'viewer' | 'ines' | 'omar' | 'petra'

/** Where a story plays: the browser that people look at, and the control plane behind it. */
export interface Stage {
  /** A page at `path`, of somebody signed in or of nobody. */
  open: (who: User | 'nobody', path: string) => Promise<Page>
  /** Calls the API as somebody, to set a scene; what was refused is thrown. */
  api: (user: User, method: string, path: string, body?: unknown) => Promise<unknown>
  /** When the story is over. */
  clear: () => Promise<void>
}

export const viewport = { width: 1440, height: 900 }

export interface Answer {
  status: number
  text: string
}

/** What a scene was answered, or the refusal in words. */
export function bodyOf(method: string, path: string, { status, text }: Answer): unknown {
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
