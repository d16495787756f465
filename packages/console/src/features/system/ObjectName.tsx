import { useCurrentUser } from '#/data/current-user.ts'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { instanceLinkIn } from '#/features/instances/links.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { siloLink } from '#/features/silos/links.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import type { SystemIssue } from './queries.ts'

/** The name of an object in the operators' area, as a link if it has a page. */
export function ObjectName({ object }: { object: ObjectRef }) {
  const { siloName } = useCurrentUser()
  const link = objectLink(object, siloName)
  if (!link) return <span className="font-medium text-strong">{object.name}</span>
  return (
    <PageLink {...link} className="link">
      {object.name}
    </PageLink>
  )
}

export const SiloName = (silo: { id: string; name: string }) => (
  <ObjectName object={{ kind: 'silo', projectName: null, siloName: null, ...silo }} />
)

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
