import type { LinkTarget } from '#/features/common/link-target.ts'
import { instanceLinkIn } from '#/features/instances/links.ts'
import { sledLink } from '#/features/inventory/links.ts'
import { siloLink } from '#/features/silos/links.ts'
import { poolLink } from '#/features/system-ip-pools/links.ts'
import type { SystemIssue } from './queries.ts'

type Touched = SystemIssue['touches'][number]
export type PlaceKind = Touched['kind']

/** Where something is: its name with those above it. */
export type Place = Pick<Touched, 'kind' | 'id' | 'name' | 'projectName' | 'siloName'>

type Linker = (place: Place, ownSilo: string) => LinkTarget | undefined

/** The page where an operator deals with each kind. Pages of projects show those of the own silo only. */
const pages: Partial<Record<PlaceKind, Linker>> = {
  silo: ({ name }) => siloLink(name),
  'ip-pool': ({ name }) => poolLink(name),
  sled: ({ id }) => sledLink(id),
  certificate: ({ siloName }) => (siloName === null ? undefined : siloLink(siloName, 'certificates')),
  instance: (place, ownSilo) => instanceLinkIn(ownSilo, place),
}

/** Absent where no page shows the object. */
export const placeLink: Linker = (place, ownSilo) => pages[place.kind]?.(place, ownSilo)
