import type { ReactNode } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import { instanceLinkIn } from '#/features/instances/links.ts'
import { usePointsAt } from './RackLights.tsx'

interface Props {
  instance: { id: string; name: string; projectName: string; siloName: string }
  /** Shown above the name. */
  children?: ReactNode
}

/** An instance's name, which highlights its sleds if the rack is on screen. */
export function InstanceName({ instance, children }: Props) {
  const { siloName } = useCurrentUser()
  const link = instanceLinkIn(siloName, instance)
  return (
    <div {...usePointsAt({ instance: instance.id })}>
      {children}
      {link ? (
        <PageLink {...link} className="link">
          {instance.name}
        </PageLink>
      ) : (
        <span className="font-medium text-strong">{instance.name}</span>
      )}
    </div>
  )
}
