import { useRouterState } from '@tanstack/react-router'
import type { LinkTarget } from '#/features/common/link-target.ts'

/** The two halves of the console: what belongs to a silo, and what belongs to the whole installation. */
export type Area = 'silo' | 'system'

/** Where each of them begins. */
export const areaHomes: Record<Area, LinkTarget> = { silo: { to: '/projects' }, system: { to: '/system' } }

export const areaOf = (path: string): Area => (/^\/system(\/|$)/.test(path) ? 'system' : 'silo')

export const useArea = (): Area => useRouterState({ select: ({ location }) => areaOf(location.pathname) })
