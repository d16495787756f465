import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { RefreshData } from '#/kit/list/RefreshData.tsx'
import { Attention } from '#/features/updates/Attention.tsx'
import { HardwareTable } from '#/features/updates/HardwareTable.tsx'
import { releases, trustRoots, updateStatus, repositoryUploads } from '#/features/updates/queries.ts'
import { Releases } from '#/features/updates/Releases.tsx'
import { StatusPlate } from '#/features/updates/StatusPlate.tsx'
import { TrustRoots } from '#/features/updates/TrustRoots.tsx'
import { Uploads } from '#/features/updates/Uploads.tsx'
import { Button } from '#/ui/Button.tsx'

export const Route = createFileRoute('/_console/system/_update')({
  loader: ({ context }) =>
    Promise.all([
      context.prefetch(updateStatus, releases, trustRoots),
      // Uploads are above the releases, and would push them down if they came later.
      context.tryPrefetch(repositoryUploads),
    ]),
  staticData: { crumb: { label: 'System Update', to: '/system/update' } },
  component: Update,
})

function Update() {
  return (
    <>
      <UpdatePage />
      <Outlet />
    </>
  )
}

/** The target release and its progress, uploaded releases, and the trust roots. */
function UpdatePage() {
  const queryClient = useQueryClient()
  const { data: status, dataUpdatedAt, isFetching } = useSuspenseQuery(updateStatus)
  const { data: known } = useSuspenseQuery(releases)
  const { data: roots } = useSuspenseQuery(trustRoots)
  const isUnderWay = status.components.some(({ state }) => state !== 'current')
  const refresh = (): void => {
    for (const { queryKey } of [updateStatus, releases, trustRoots, repositoryUploads])
      void queryClient.refetchQueries({ queryKey, exact: true })
  }
  return (
    <>
      <PageHead
        title="System Update"
        docs={<UpdateDocs />}
        actions={
          <>
            <RefreshData updatedAt={new Date(dataUpdatedAt)} onRefresh={refresh} isRefreshing={isFetching} />
            {isUnderWay && !status.suspended && <SuspendButton />}
          </>
        }
      />
      <div className="space-y-4">
        <Attention status={status} />
        <StatusPlate status={status} />
        <Uploads />
        <Releases releases={known.items} status={status} />
        <HardwareTable components={status.components} />
        <TrustRoots roots={roots} />
      </div>
    </>
  )
}

const UpdateDocs = () => (
  <DocsPopover topic="system updates" page="updates">
    Upload a release as a repository signed by one of the trust roots. When you set it as the target release,
    the rack updates to it one component at a time. Instances move to other sleds before the host of their
    sled restarts.
  </DocsPopover>
)

function SuspendButton() {
  const whyNot = useWhyNotOnFleet()
  const suspend = useOp(op.updateSuspend)
  return (
    <Button
      disabledReason={whyNot}
      onClick={() =>
        confirmAction({
          title: 'Suspend update',
          content: (
            <p>The component in progress finishes, and no others begin until you resume the update.</p>
          ),
          confirmLabel: 'Suspend update',
          pendingLabel: 'Suspending',
          errorTitle: 'Could not suspend update',
          success: 'Update suspended',
          run: () => suspend.run({}),
        })
      }
    >
      Suspend update
    </Button>
  )
}
