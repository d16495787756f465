import { useParams, useRouterState } from '@tanstack/react-router'
import type { LinkTarget } from '../links/link-target.ts'
import { useHasExtensions } from '../page/use-served.ts'

/** The account of an object of this list, where what is around it has its own; undefined on servers without. */
export function useActivityLink(): ((id: string) => LinkTarget) | undefined {
  const { project } = useParams({ strict: false })
  const isSystem = useRouterState({ select: ({ location }) => location.pathname.startsWith('/system') })
  if (!useHasExtensions()) return undefined
  return (object) => {
    const search = { object }
    if (isSystem) return { to: '/system/activity', search }
    return project === undefined
      ? { to: '/activity', search }
      : { to: '/projects/$project/activity', params: { project }, search }
  }
}
