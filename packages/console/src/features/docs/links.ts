import type { LinkTarget } from '#/kit/links/link-target.ts'

export const docLink = (page: string): LinkTarget => ({ to: '/docs/$page', params: { page } })
