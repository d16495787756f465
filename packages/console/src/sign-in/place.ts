import type { ReactNode } from 'react'
import { safeRedirect } from '#/data/redirect-uri.ts'

/** Where the browser is, and how it gets to another path of this origin without a page load, the console's too. */
export interface Place {
  params: Readonly<Record<string, string>>
  search: URLSearchParams
  go: (href: string) => void
  /** The same, leaving this page out of what Back leads to. */
  goInstead: (href: string) => void
}

/** What is shown at a place, once all is there that it is made of. */
export type Page = (place: Place) => ReactNode | Promise<ReactNode>

/** The page of this origin to return to after signing in, where one was asked for. */
export function returnAt({ search }: Place): string | undefined {
  const wanted = search.get('redirect_uri')
  return wanted === null ? undefined : safeRedirect(wanted)
}

/** Where the silo is chosen, or is the one given; an empty one asks. What was wanted comes along. */
export function loginAt(place: Place, silo: string): string {
  const wanted = returnAt(place)
  return `/login?${new URLSearchParams({ ...(wanted && { redirect_uri: wanted }), silo })}`
}
