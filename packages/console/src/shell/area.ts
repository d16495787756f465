import { useRouterState } from '@tanstack/react-router'
import type { LinkTarget } from '#/kit/links/link-target.ts'

/** The two areas of the console: a silo, and the whole fleet. */
export type Area = 'silo' | 'system'

/** The home page of each. */
export const areaHomes: Record<Area, LinkTarget> = { silo: { to: '/projects' }, system: { to: '/system' } }

export const areaOf = (path: string): Area => (/^\/system(\/|$)/.test(path) ? 'system' : 'silo')

export const useArea = (): Area => useRouterState({ select: ({ location }) => areaOf(location.pathname) })
