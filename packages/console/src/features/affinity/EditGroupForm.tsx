import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { EditForm } from '#/kit/forms/KindForms.tsx'
import { affinityGroupLink } from './links.ts'
import { familyChanges, groupAt, groupMembers, groupView } from './queries.ts'
import { kindOf } from './words.tsx'

interface Props {
  family: AffinityFamily
  project: string
  group: string
}

export function EditGroupForm({ family, project, group: name }: Props) {
  const view = groupView(family, project, name)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: group } = useSuspenseQuery(view)
  const update = useOp(familyChanges[family].update, {
    sees: view,
    seeds: (updated) => groupView(family, project, updated.name),
    onSuccess: (updated) => {
      // Renaming does not change the members, so seed the view under the new name.
      const members = queryClient.getQueryData(groupMembers(family, project, name).queryKey)
      queryClient.setQueryData(groupMembers(family, project, updated.name).queryKey, members)
    },
  })
  return (
    <EditForm
      kind={kindOf(family)}
      pageOf={(saved) => affinityGroupLink(family, project, saved.name)}
      submitLabel="Edit group"
      pendingLabel="Updating group"
      initial={{ name: group.name, description: group.description }}
      save={(body, send) => update.run({ ...groupAt(family, project, name), body }, send)}
      onSaved={(updated) =>
        void navigate({
          ...affinityGroupLink(family, project, updated.name),
          replace: true,
          resetScroll: false,
        })
      }
      closeTo={affinityGroupLink(family, project, name)}
      disabled={useWhyNotInProject(project)}
    >
      <NameField name="name" />
      <DescriptionField name="description" />
    </EditForm>
  )
}
