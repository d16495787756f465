import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> &
  Pick<LinkProps, 'replace'> & {
    to: string
    /** Opens a form over this page: the page behind keeps its place in the list and its scroll position. */
    over?: boolean
  }

/** A link to a path that was put together elsewhere: a crumb, a menu entry, a row. Its page loads on intent. */
export function PathLink({ to, over = false, ...props }: Props) {
  const [pathname, query] = to.split('?')
  // The router checks paths by their pattern, and this one is already filled in.
  const path = pathname as LinkProps['to']
  const search = query && Object.fromEntries(new URLSearchParams(query))
  return over ? (
    <Link {...props} to={path} search resetScroll={false} />
  ) : (
    <Link {...props} to={path} {...(search && ({ search } as object))} />
  )
}
