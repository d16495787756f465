import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { builtInUser } from '#/features/system/queries.ts'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/_built-in-users/built-in-users/$user')({
  loader: ({ context, params }) => context.prefetch(builtInUser(params.user)),
  staticData: { title: 'View built-in user' },
  component: BuiltInUserPanel,
})

function BuiltInUserPanel() {
  const { user: name } = Route.useParams()
  const { data: user } = useSuspenseQuery(builtInUser(name))
  return (
    <ViewPanel title="Built-in user" context={user.name} closeTo={{ to: '/system/built-in-users' }}>
      <DataPlate narrow>
        <DataItem label="Name">{user.name}</DataItem>
        <DataItem label="Description">{user.description || <EmptyCell />}</DataItem>
        <DataItem label="Created">
          <DateTime value={user.timeCreated} />
        </DataItem>
        <DataItem label="Modified">
          <DateTime value={user.timeModified} />
        </DataItem>
        <WideIdItem id={user.id} />
      </DataPlate>
    </ViewPanel>
  )
}
