/** The header by which a request names the edition of the API that it expects; without it the base edition answers. */
export const editionHeader = 'api-version'

/** Editions by the version in their description. */
export const editions = { base: '20250730.0.0', later: '2026081901.0.0' } as const
export type Edition = keyof typeof editions

/** Paths that the later edition moved, with unchanged operations below them. */
const moved = [['/v1/system/support-bundles', '/experimental/v1/system/support-bundles']] as const

const replaced = (path: string, from: string, to: string): string | undefined =>
  path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : undefined

/** The base edition's path for a request of the later edition. */
export const basePathOf = (path: string): string =>
  moved.map(([later, base]) => replaced(path, later, base)).find(Boolean) ?? path

/** The later edition's path of an operation of the base edition. */
export const laterPathOf = (path: string): string =>
  moved.map(([later, base]) => replaced(path, base, later)).find(Boolean) ?? path

/** The later edition's name of an operation: pools of silos took over the names of the system's pools. */
export const laterIdOf = (id: string): string =>
  id.startsWith('ip_pool_') ? `system_${id}` : id.replace(/^project_(?=ip_pool_)/, '')
