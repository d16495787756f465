import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> &
  Pick<LinkProps, 'replace'> & {
    to: string
    /** What stands behind the path in the URL. */
    search?: Record<string, string> | undefined
    /** Opens a form over this page: the page behind keeps its place in the list and its scroll position. */
    over?: boolean
  }

/** A link to a path that was put together elsewhere: a crumb, a menu entry, a row. Its page loads on intent. */
export function PathLink({ to, over = false, ...props }: Props) {
  // The router checks paths by their pattern, and this one is already filled in.
  const path = to as LinkProps['to']
  return over ? (
    <Link {...props} to={path} search resetScroll={false} />
  ) : (
    <Link {...(props as object)} to={path} />
  )
}
