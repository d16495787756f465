import type { AffinityFamily } from '@gantry/api/compute/affinity.rules'
import Pencil from 'lucide-react/icons/pencil'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import { editGroupLink } from './links.ts'
import { familyChanges, type Group, groupAt } from './queries.ts'
import { tagActions } from '#/features/tags/tag-actions.tsx'
import { taggedKindOf, kindOf } from './words.tsx'

/** The actions of a row and of the group's own page, which leaves after the deletion in `onDelete`. */
export function useGroupRowActions(
  family: AffinityFamily,
  project: string,
  onDelete?: (is: Deletion) => void,
): ActionsOf<Group> {
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(familyChanges[family].delete)
  const kind = kindOf(family)
  return ({ id, name }) => [
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed,
      link: editGroupLink(family, project, name),
      // From the group's page, the form opens over that page instead of the list.
      over: onDelete !== undefined,
    },
    ...tagActions(taggedKindOf[family], { id, name }, whyNotAllowed, project),
    {
      label: 'Delete',
      disabled: whyNotAllowed,
      onSelect: () =>
        confirmDelete({
          kind,
          name,
          gone: `Its members stay where they are but are no longer kept ${kept[family]}.`,
          run: () => reportDeletion(() => remove.run(groupAt(family, project, name)), onDelete),
        }),
    },
  ]
}

const kept: Readonly<Record<AffinityFamily, string>> = { 'anti-affinity': 'apart', affinity: 'together' }

export function AffinityDocs() {
  return (
    <DocsPopover topic="affinity" page="compute#placement">
      Members of an anti-affinity group start on different sleds, so losing one sled does not stop them all.
      Members of an affinity group start on the same sled. Running members are not moved.
    </DocsPopover>
  )
}
