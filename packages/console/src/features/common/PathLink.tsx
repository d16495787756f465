import { useRouterState } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  to: string
  /** What stands behind the path in the URL. */
  search?: Record<string, string> | undefined
  /** Opens a form over this page: the page behind keeps its place in the list and its scroll position. */
  over?: boolean
}

/**
 * A link to a path of the console: a crumb, a menu entry, a row. A plain anchor, because a list has hundreds: one
 * listener for all of them goes where it points (shell/follow-links.ts), and loads the page on intent.
 */
export function PathLink({ over = false, ...props }: Props) {
  return over ? <OverLink {...props} /> : <PlainLink {...props} />
}

function PlainLink({ to, search, children, ...props }: Omit<Props, 'over'>) {
  const query = search ? `?${new URLSearchParams(search).toString()}` : ''
  return (
    <a {...props} href={to + query} data-route="page">
      {children}
    </a>
  )
}

function OverLink({ to, search: _search, children, ...props }: Omit<Props, 'over'>) {
  const query = useRouterState({ select: ({ location }) => location.searchStr })
  return (
    <a {...props} href={to + query} data-route="over">
      {children}
    </a>
  )
}
