import { instanceSnapshotStart } from '@gantry/api/storage/instance-snapshot.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { InstanceSnapshotsCard } from '#/features/instances/snapshots/InstanceSnapshotsCard.tsx'
import { instanceView } from '#/features/instances/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'

const TakeDialog = lazyPart(() => import('#/features/instances/snapshots/TakeDialog.tsx'), 'TakeDialog')

export const Route = createFileRoute('/_console/projects/$project/instances/$instance/_page/snapshots')({
  staticData: { crumb: { label: 'Snapshots', to: '/projects/$project/instances/$instance/snapshots' } },
  component: InstanceSnapshots,
})

function InstanceSnapshots() {
  const { project, instance: name } = Route.useParams()
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  const whyNotAllowed = useWhyNotInProject(project)
  const [isTaking, setTaking] = useState(false)
  const whyNotNow = instanceSnapshotStart.includes(instance.runState)
    ? undefined
    : 'Wait until the instance runs or is stopped'
  return (
    <>
      <InstanceSnapshotsCard
        project={project}
        instance={instance.id}
        button={
          <Button disabledReason={whyNotAllowed ?? whyNotNow} onClick={() => setTaking(true)}>
            Take snapshot
          </Button>
        }
      />
      {isTaking && <TakeDialog project={project} instance={instance} onClose={() => setTaking(false)} />}
    </>
  )
}
