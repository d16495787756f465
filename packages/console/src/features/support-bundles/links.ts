import type { LinkTarget } from '#/kit/links/link-target.ts'

export const bundleLink = (bundle: string) =>
  ({ to: '/system/support-bundles/$bundle', params: { bundle } }) satisfies LinkTarget

/** Bundles have no name, so the start of the id identifies them. */
export const bundleName = (id: string): string => id.slice(0, 8)
