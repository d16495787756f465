// @chunk backup-rows: of the backups of a project and of an instance, which few open.
import { instanceSnapshotStart } from '@gantry/api/storage/instance-snapshot.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { BackupsCard } from '#/features/backups/BackupsCard.tsx'
import { instanceView } from '#/features/instances/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const BackUpDialog = lazyPart(() => import('#/features/backups/BackUpDialog.tsx'), 'BackUpDialog')

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/backups')({
  staticData: { crumb: { label: 'Backups', to: '/projects/$project/instances/$instance/backups' } },
  component: InstanceBackups,
})

function InstanceBackups() {
  const { project, instance: name } = Route.useParams()
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const whyNotAllowed = useWhyNotInProject(project)
  const [isBackingUp, setBackingUp] = useState(false)
  const whyNotNow = instanceSnapshotStart.includes(instance.runState)
    ? undefined
    : 'Wait until the instance runs or is stopped'
  return (
    <>
      <BackupsCard
        project={project}
        instance={instance.id}
        button={
          <Button disabledReason={whyNotAllowed ?? whyNotNow} onClick={() => setBackingUp(true)}>
            Back up
          </Button>
        }
      />
      {isBackingUp && (
        <BackUpDialog project={project} instance={instance} onClose={() => setBackingUp(false)} />
      )}
    </>
  )
}
