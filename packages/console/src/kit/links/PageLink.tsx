import { useRouterState } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { hrefOf, type LinkTarget } from './link-target.ts'

type Anchor = Omit<ComponentProps<'a'>, 'href'>

/** `over` opens a form over this page, which keeps its list position and scroll position. */
type Props = LinkTarget & Anchor & { over?: boolean }

/**
 * A link to a console page, such as a menu entry or a row. A plain anchor, because a list has hundreds: one listener
 * navigates for all of them (shell/follow-links.ts) and preloads on intent.
 */
export function PageLink({ to, params, search, over = false, ...anchor }: Props) {
  const href = hrefOf({ to, params, ...(search && { search }) })
  return over ? <OverLink {...anchor} href={href} /> : <RouteAnchor {...anchor} href={href} />
}

/** An anchor handled by the router. */
export function RouteAnchor({ children, ...anchor }: Anchor & { href: string }) {
  return (
    <a {...anchor} data-route="page">
      {children}
    </a>
  )
}

/** Keeps this page's query, unless the link has its own. */
function OverLink({ href, children, ...anchor }: Anchor & { href: string }) {
  const query = useRouterState({ select: ({ location }) => location.searchStr })
  return (
    <a {...anchor} href={href.includes('?') ? href : href + query} data-route="over">
      {children}
    </a>
  )
}
