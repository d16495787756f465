import { createFileRoute } from '@tanstack/react-router'
import BellRing from 'lucide-react/icons/bell-ring'
import { useState } from 'react'
import { AlertDocs } from '#/features/alerts/AlertDocs.tsx'
import { receiverColumns } from '#/features/alerts/columns.tsx'
import { receiverLink } from '#/features/alerts/links.ts'
import { receiversWithHealth } from '#/features/alerts/queries.ts'
import { useReceiverActions } from '#/features/alerts/use-receiver-actions.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'

const ProbeDialog = lazyPart(() => import('#/features/alerts/ProbeDialog.tsx'), 'ProbeDialog')

export const Route = createFileRoute('/_console/system/_alerts')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, receiversWithHealth),
  staticData: { crumb: { label: 'Alerts', to: '/system/alerts' } },
  component: AlertReceivers,
})

function AlertReceivers() {
  const [tested, setTested] = useState<string>()
  return (
    <>
      <ResourceList
        kind="alert receiver"
        icon={BellRing}
        title="Alerts"
        docs={<AlertDocs />}
        list={useListPage(receiversWithHealth)}
        columns={receiverColumns}
        actions={useReceiverActions({ onTest: setTested })}
        rowEntry={({ name }) => ({ label: name, link: receiverLink(name) })}
        create={{
          link: { to: '/system/alerts-new' },
          label: 'New alert receiver',
          whyNot: useWhyNotOnFleet(),
        }}
        empty={{ title: 'No alert receivers', text: 'Create an alert receiver to see it here' }}
      />
      {tested !== undefined && <ProbeDialog receiver={tested} onClose={() => setTested(undefined)} />}
    </>
  )
}
