import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { CreateLink } from '#/kit/list/ResourceList.tsx'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { receiverPlaces } from './queries.ts'

type Place = OutputOf<'alertActivityPlaceList'>['items'][number]

const placeText = ({ project, silo }: Place): string =>
  project ? `Project ${project.name ?? project.id}` : `All of silo ${silo.name ?? silo.id}`

const columns: Column<Place>[] = [
  {
    id: 'place',
    header: 'Place',
    part: 'name',
    cell: (place) => <span className="font-medium wrap-anywhere text-strong">{placeText(place)}</span>,
  },
  {
    id: 'by',
    header: 'Added by',
    part: 'meta',
    isLabelled: true,
    cell: ({ addedBy, isHeard }) =>
      isHeard ? (
        (addedBy.name ?? addedBy.id)
      ) : (
        <span className="text-care-text">
          {addedBy.name ?? addedBy.id}, who may not see it any more: nothing is sent
        </span>
      ),
  },
]

/** The projects and silos whose activity a receiver gets; nothing where the server tells of none. */
export function PlacesSection({ receiver }: { receiver: string }) {
  const { data } = useQuery(receiverPlaces(receiver))
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.alertActivityPlaceRemove)
  const link = { to: '/system/alerts/$receiver/places-add', params: { receiver } } as const
  if (!data) return null
  return (
    <section aria-label="Activity of projects" className="mt-6">
      <TabHead actions={<CreateLink kind="project" create={{ link, label: 'Add project', whyNot }} />}>
        Subscriptions to activity get that of the fleet, and of these projects.
      </TabHead>
      <Table
        label="Activity of projects"
        columns={columns}
        rows={data.items}
        rowKey={({ id }) => id}
        actions={(place) =>
          rowMenu(place.id, 'Copy ID', [
            {
              label: 'Remove',
              icon: <CircleMinus aria-hidden strokeWidth={1.75} />,
              disabled: whyNot,
              onSelect: () =>
                confirmAction({
                  title: 'Confirm remove project',
                  content: <p>Remove {placeText(place)}? The receiver gets no more of its activity.</p>,
                  kind: 'danger',
                  pendingLabel: 'Removing',
                  errorTitle: 'Could not remove project',
                  success: <>{placeText(place)} removed</>,
                  run: () => remove.run({ path: { receiver, placeId: place.id } }),
                }),
            },
          ])
        }
        empty={
          <EmptyState title="No projects">Add a project, or your silo, to get what happens there</EmptyState>
        }
      />
    </section>
  )
}
