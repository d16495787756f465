import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { diskSaved, useCreateDisk } from '#/features/disks/create-disk.ts'
import { DiskForm } from '#/features/disks/DiskForm.tsx'
import { NewTags } from '#/features/tags/NewTags.tsx'

export const Route = createFileRoute('/_console/projects/$project/_disks/disks-new')({
  staticData: { title: 'New disk' },
  component: DiskNew,
})

function DiskNew() {
  const { project } = Route.useParams()
  return (
    <DiskForm
      project={project}
      save={useCreateDisk(project)}
      saved={diskSaved}
      closeTo={{ to: '/projects/$project/disks', params: { project } }}
      disabled={useWhyNotInProject(project)}
    >
      <NewTags kind="disk" project={project} />
    </DiskForm>
  )
}
