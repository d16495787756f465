import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import { type Place, placeLink } from './links.ts'

/** The name of an object in the operators' area, as a link if it has a page. */
export function ObjectName({ place }: { place: Place }) {
  const { siloName } = useCurrentUser()
  const link = placeLink(place, siloName)
  if (!link) return <span className="font-medium text-strong">{place.name}</span>
  return (
    <PageLink {...link} className="link">
      {place.name}
    </PageLink>
  )
}

export const SiloName = (silo: { id: string; name: string }) => (
  <ObjectName place={{ kind: 'silo', projectName: null, siloName: null, ...silo }} />
)
