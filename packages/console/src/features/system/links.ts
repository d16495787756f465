import type { LinkTarget } from '#/features/common/link-target.ts'
import { instanceLinkIn } from '#/features/instances/links.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { siloLink } from '#/features/silos/links.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import type { SystemIssue } from './queries.ts'

type Touched = SystemIssue['touches'][number]
export type ObjectKind = Touched['kind']

/** The location of an object: its name and its parents' names. */
export type ObjectRef = Pick<Touched, 'kind' | 'id' | 'name' | 'projectName' | 'siloName'>

type Linker = (object: ObjectRef, ownSilo: string) => LinkTarget | undefined

/** The operators' page for each kind. Project pages exist for the user's own silo only. */
const pages: Partial<Record<ObjectKind, Linker>> = {
  silo: ({ name }) => siloLink(name),
  'ip-pool': ({ name }) => poolLink(name),
  sled: ({ id }) => sledLink(id),
  certificate: ({ siloName }) => (siloName === null ? undefined : siloLink(siloName, 'certificates')),
  // Written out: the function for both scopes would load with every page.
  'metric-query': ({ name }) => ({ to: '/system/saved-queries/$query', params: { query: name } }),
  instance: (object, ownSilo) => instanceLinkIn(ownSilo, object),
}

/** Undefined if no page shows the object. */
export const objectLink: Linker = (object, ownSilo) => pages[object.kind]?.(object, ownSilo)
