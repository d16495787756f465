import type { ReactNode } from 'react'
import { safeRedirect } from '#/data/redirect-uri.ts'

/** The current address, with navigation to other paths of this origin, including the console, without a page load. */
export interface Place {
  params: Readonly<Record<string, string>>
  search: URLSearchParams
  go: (href: string) => void
  /** The same, but replaces the history entry. */
  goInstead: (href: string) => void
}

/** Renders a page for a place, once its data is there. */
export type Page = (place: Place) => ReactNode | Promise<ReactNode>

/** The requested page of this origin to return to after signing in. */
export function returnAt({ search }: Place): string | undefined {
  const wanted = search.get('redirect_uri')
  return wanted === null ? undefined : safeRedirect(wanted)
}

/** The sign-in page of a silo; without a name it asks for one. Keeps the return path. */
export function loginAt(place: Place, silo: string): string {
  const wanted = returnAt(place)
  return `/login?${new URLSearchParams({ ...(wanted && { redirect_uri: wanted }), silo })}`
}
