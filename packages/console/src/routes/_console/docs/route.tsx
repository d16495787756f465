import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsNav } from '#/features/docs/DocsNav.tsx'
import { Frame } from '#/shell/Frame.tsx'
import { useUserItems } from '#/shell/Layouts.tsx'

export const Route = createFileRoute('/_console/docs')({
  staticData: { crumb: { label: 'Documentation', to: '/docs' } },
  component: Documentation,
})

function Documentation() {
  useUserItems()
  return (
    <Frame groups={[]} Rail={DocsNav}>
      <Outlet />
    </Frame>
  )
}
