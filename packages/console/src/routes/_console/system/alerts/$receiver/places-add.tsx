import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useCurrentUser } from '#/data/current-user.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { receiverLink } from '#/features/alerts/links.ts'
import { ProjectField } from '#/features/projects/ProjectField.tsx'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { SideForm } from '#/kit/forms/SideForm.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'

export const Route = createFileRoute('/_console/system/alerts/$receiver/places-add')({
  staticData: { title: 'Add project' },
  component: PlaceAdd,
})

type Reach = 'project' | 'silo'
const initial: { reach: Reach; project: string } = { reach: 'project', project: '' }

function PlaceAdd() {
  const { receiver } = Route.useParams()
  const { siloName } = useCurrentUser()
  const add = useOp(op.alertActivityPlaceAdd)
  return (
    <SideForm
      title="Add project"
      pendingLabel="Adding project"
      context={`To alert receiver ${receiver}`}
      initial={initial}
      save={({ reach, project }, send) =>
        add.run({ path: { receiver }, body: { project: reach === 'project' ? project : null } }, send)
      }
      saved={({ project, silo }) =>
        project
          ? successMessage('project', project.name ?? project.id, 'added')
          : successMessage('silo', silo.name ?? silo.id, 'added')
      }
      closeTo={receiverLink(receiver, 'subscriptions')}
      disabled={useWhyNotOnFleet()}
    >
      <p className="text-muted">
        The receiver gets the activity that you may see, for as long as you may see it.
      </p>
      <RadioField<Reach>
        name="reach"
        label="Activity of"
        options={[
          { value: 'project', label: 'A project' },
          { value: 'silo', label: `All of silo ${siloName}` },
        ]}
      />
      <ReachField />
    </SideForm>
  )
}

function ReachField() {
  const reach = useWatch<typeof initial, 'reach'>({ name: 'reach' })
  return reach === 'project' ? <ProjectField placeholder="Select a project" /> : null
}
