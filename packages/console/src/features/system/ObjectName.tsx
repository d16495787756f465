import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import { type ObjectRef, objectLink } from './links.ts'

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
