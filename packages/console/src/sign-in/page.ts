import type { ReactNode } from 'react'
import { homePath, safeRedirect } from '#/data/redirect-uri.ts'
import { announceSignIn } from '#/features/sign-in/sign-in-elsewhere.ts'

/** The current address, with navigation to other paths of this origin, including the console, without a page load. */
export interface PageContext {
  params: Readonly<Record<string, string>>
  search: URLSearchParams
  go: (href: string) => void
  /** The same, but replaces the history entry. */
  replace: (href: string) => void
}

/** Renders a page once its data has loaded. */
export type Page = (context: PageContext) => ReactNode | Promise<ReactNode>

/** The requested page of this origin to return to after signing in. */
export function returnAt({ search }: PageContext): string | undefined {
  const returnTo = search.get('redirect_uri')
  return returnTo === null ? undefined : safeRedirect(returnTo)
}

/** The sign-in page of a silo; without a name it asks for one. Keeps the return path. */
export function loginAt(context: PageContext, silo: string): string {
  const returnTo = returnAt(context)
  return `/login?${new URLSearchParams({ ...(returnTo && { redirect_uri: returnTo }), silo })}`
}

/** Opens the requested page after signing in on a page of its own. */
export function signedIn(context: PageContext): void {
  announceSignIn()
  context.replace(returnAt(context) ?? homePath)
}
