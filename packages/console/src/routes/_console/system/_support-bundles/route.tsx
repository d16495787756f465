import { createFileRoute } from '@tanstack/react-router'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { bundleColumns } from '#/features/support-bundles/columns.tsx'
import { bundleLink, bundleName } from '#/features/support-bundles/links.ts'
import { bundlesList } from '#/features/support-bundles/queries.ts'
import { SupportBundleDocs, useBundleActions } from '#/features/support-bundles/parts.tsx'

export const Route = createFileRoute('/_console/system/_support-bundles')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, bundlesList),
  staticData: { crumb: { label: 'Support bundles', to: '/system/support-bundles' } },
  component: SupportBundles,
})

function SupportBundles() {
  return (
    <ResourceList
      kind="support bundle"
      icon={LifeBuoy}
      title="Support bundles"
      docs={<SupportBundleDocs />}
      list={useListPage(bundlesList)}
      columns={bundleColumns}
      actions={useBundleActions()}
      rowEntry={({ id }) => ({ label: bundleName(id), link: bundleLink(id) })}
      create={{ link: { to: '/system/support-bundles-new' }, whyNot: useWhyNotOnFleet() }}
      empty={{ title: 'No support bundles', text: 'Create a support bundle to see it here' }}
    />
  )
}
