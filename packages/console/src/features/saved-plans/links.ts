import type { LinkTarget } from '#/kit/links/link-target.ts'

export const planLink = (plan: string) => ({ to: '/plans/$plan', params: { plan } }) satisfies LinkTarget
