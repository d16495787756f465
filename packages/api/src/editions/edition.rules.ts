import { compareVersions, isSemver } from '../system/update.rules.ts'

/** The header by which a request names the edition of the API that it expects; without it the base edition answers. */
export const editionHeader = 'api-version'

/** Editions by the version in their description. */
export const editions = { base: '20250730.0.0', later: '2026081901.0.0' } as const
export type Edition = keyof typeof editions

/** The first version that the base edition does not answer: from November 2025 on, versions have ten digits. */
const firstLater = '2025110000.0.0'

/**
 * The edition that answers a version: clients of every older one are served, whether or not it was ever released.
 * A newer one is unknown, and anything but a semantic version is malformed.
 */
export function editionOfVersion(version: string): Edition | 'newer' | 'malformed' {
  if (!isSemver(version)) return 'malformed'
  if (compareVersions(version, editions.later) > 0) return 'newer'
  return compareVersions(version, firstLater) < 0 ? 'base' : 'later'
}

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

/**
 * Lists of the later edition whose objects do not exist here: empty pages, for the callers, and with the parameters, of
 * a list of the base edition.
 */
export const emptyLists = [
  { id: 'external_subnet_list', path: '/v1/external-subnets', like: '/v1/floating-ips' },
  {
    id: 'instance_external_subnet_list',
    path: '/v1/instances/{instance}/external-subnets',
    like: '/v1/instances/{instance}/external-ips',
  },
  { id: 'subnet_pool_list', path: '/v1/subnet-pools', like: '/v1/ip-pools' },
  {
    id: 'silo_subnet_pool_list',
    path: '/v1/system/silos/{silo}/subnet-pools',
    like: '/v1/system/silos/{silo}/ip-pools',
  },
  { id: 'system_subnet_pool_list', path: '/v1/system/subnet-pools', like: '/v1/system/ip-pools' },
] as const
export type EmptyList = (typeof emptyLists)[number]['id']

/** The later edition's name of an operation: pools of silos took over the names of the system's pools. */
export const laterIdOf = (id: string): string =>
  id.startsWith('ip_pool_') ? `system_${id}` : id.replace(/^project_(?=ip_pool_)/, '')
