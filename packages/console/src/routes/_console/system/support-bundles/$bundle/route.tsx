import { createFileRoute, Outlet } from '@tanstack/react-router'
import { bundleView } from '#/features/support-bundles/queries.ts'
import { SupportBundlePage } from '#/features/support-bundles/SupportBundlePage.tsx'

export const Route = createFileRoute('/_console/system/support-bundles/$bundle')({
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
