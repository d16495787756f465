import * as op from '@gantry/api/client/operations.gen'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField, TextField } from '#/kit/forms/fields.tsx'
import { CreateForm } from '#/kit/forms/KindForms.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { snapshotView } from '#/features/snapshots/queries.ts'
import { projectImageLink } from '#/features/images/links.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { NewTags } from '#/features/tags/NewTags.tsx'

export const Route = createFileRoute('/_console/projects/$project/_snapshots/snapshots/$snapshot/images-new')(
  {
    loader: ({ context, params }) => context.prefetch(snapshotView(params.project, params.snapshot)),
    staticData: { title: 'Create image from snapshot' },
    component: ImageFromSnapshot,
  },
)

function ImageFromSnapshot() {
  const { project, snapshot: name } = Route.useParams()
  const { data: snapshot } = useSuspenseQuery(snapshotView(project, name))
  const whyNotAllowed = useWhyNotInProject(project)
  const create = useOp(op.imageCreate)
  return (
    <CreateForm
      kind="image"
      pageOf={({ name }) => projectImageLink(project, name)}
      title="Create image from snapshot"
      submitLabel="Create image"
      initial={{ name: snapshot.name, description: '', os: '', version: '' }}
      save={(values, send) =>
        create.run(
          { query: { project }, body: { ...values, source: { type: 'snapshot', id: snapshot.id } } },
          send,
        )
      }
      closeTo={{ to: '/projects/$project/snapshots', params: { project } }}
      disabled={whyNotAllowed ?? whyNot(snapshotAllows, 'createImage', snapshot.state)}
    >
      <DataPlate narrow>
        <DataItem label="Snapshot">{snapshot.name}</DataItem>
        <DataItem label="Project">{project}</DataItem>
        <DataItem label="Size">
          <Size bytes={snapshot.size} />
        </DataItem>
      </DataPlate>
      <NameField name="name" />
      <DescriptionField name="description" />
      <TextField name="os" label="OS" />
      <TextField name="version" label="Version" />
      <NewTags kind="image" project={project} />
    </CreateForm>
  )
}
