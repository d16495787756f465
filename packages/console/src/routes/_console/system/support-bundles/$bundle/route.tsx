import { whyNot } from '@gantry/api/base/state.rules'
import { supportBundleAllows } from '@gantry/api/system/support-bundle.rules'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { fleetScope } from '#/features/activity/fleet-scope.ts'
import { WithActivity, withActivitySearch } from '#/features/activity/WithActivity.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { BundleSize, BundleState, fileColumns } from '#/features/support-bundles/columns.tsx'
import { bundleLink, bundleName } from '#/features/support-bundles/links.ts'
import { type Bundle, bundleView } from '#/features/support-bundles/queries.ts'
import { saveBundle } from '#/features/support-bundles/save-bundle.ts'
import { SupportBundleDocs, useBundleActions } from '#/features/support-bundles/parts.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { ObjectActions } from '#/kit/page/ObjectActions.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/system/support-bundles/$bundle')({
  validateSearch: withActivitySearch,
  loader: ({ params: { bundle }, context }) => context.prefetch(bundleView(bundle)),
  staticData: {
    crumb: [
      { label: 'Support bundles', to: '/system/support-bundles' },
      { param: 'bundle', to: '/system/support-bundles/$bundle' },
    ],
  },
  component: SupportBundle,
})

function SupportBundle() {
  const { bundle } = Route.useParams()
  return (
    <>
      <SupportBundlePage bundle={bundle} />
      <Outlet />
    </>
  )
}

/** One bundle: its progress or its files. */
function SupportBundlePage({ bundle: id }: { bundle: string }) {
  const { data: bundle, onDelete } = useViewed(bundleView(id), { to: '/system/support-bundles' })
  const actions = useBundleActions(onDelete)
  return (
    <>
      <PageHead
        title={`Support bundle ${bundleName(id)}`}
        docs={<SupportBundleDocs />}
        actions={
          <>
            <Button
              disabledReason={whyNot(supportBundleAllows, 'download', bundle.state)}
              onClick={() => void saveBundle(id)}
            >
              Download
            </Button>
            <ObjectActions
              title={bundle.id}
              label="Support bundle actions"
              entries={() => actionMenu(actions(bundle))}
            />
          </>
        }
      />
      <Plate bundle={bundle} />
      <div className="mt-4">
        <WithActivity
          label="Support bundle"
          contents="Files"
          link={bundleLink(id)}
          activityLink={{ ...bundleLink(id), search: { tab: 'activity' } }}
          scope={{ ...fleetScope, object: id }}
          asked={Route.useSearch()}
        >
          <Table
            label="Files"
            columns={fileColumns}
            rows={bundle.files.map((file) => ({ ...file, bundle: id }))}
            rowKey={({ path }) => path}
            empty={<EmptyState title="No files">{whyEmpty[bundle.state]}</EmptyState>}
          />
        </WithActivity>
      </div>
    </>
  )
}

const whyEmpty: Record<Bundle['state'], string> = {
  collecting: 'The files will show up here once all are collected',
  active: 'This bundle has no files',
  failed: 'The bundle could not be collected',
  destroying: 'The bundle is being deleted',
}

const Plate = ({ bundle }: { bundle: Bundle }) => (
  <DataPlate>
    <DataItem label="State">
      <BundleState state={bundle.state} />
    </DataItem>
    <DataItem label="Size">
      <BundleSize {...bundle} />
    </DataItem>
    <DataItem label="Created">
      <DateTime value={bundle.timeCreated} />
    </DataItem>
    <DataItem label="Reason for creation">{bundle.reasonForCreation}</DataItem>
    <DataItem label="ID" wide>
      <CopyableId id={bundle.id} max={40} />
    </DataItem>
    <DataItem label="Comment" wide>
      {bundle.userComment || <EmptyCell />}
    </DataItem>
    {bundle.reasonForFailure !== null && (
      <DataItem label="Reason for failure" wide>
        {bundle.reasonForFailure}
      </DataItem>
    )}
  </DataPlate>
)
