import { createFileRoute, Outlet, useLoaderData } from '@tanstack/react-router'
import { DocsNav } from '#/features/docs/DocsNav.tsx'
import { OpenDocs } from '#/features/docs/OpenDocs.tsx'
import { Frame } from '#/shell/Frame.tsx'
import { useUserItems } from '#/shell/Layouts.tsx'

export const Route = createFileRoute('/_console/docs')({
  staticData: { crumb: { label: 'Documentation', to: '/docs' } },
  component: Documentation,
})

function Documentation() {
  const { isSignedIn } = useLoaderData({ from: '/_console' })
  return isSignedIn ? (
    <InConsole />
  ) : (
    <OpenDocs>
      <Outlet />
    </OpenDocs>
  )
}

function InConsole() {
  useUserItems()
  return (
    <Frame groups={[]} Rail={DocsNav}>
      <Outlet />
    </Frame>
  )
}
