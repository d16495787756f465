import { Outlet } from '@tanstack/react-router'
import { useCrumbs } from './Crumbs.tsx'
import { titleOf } from './crumbs.ts'
import { Later } from './later.tsx'
import { PreviewBanner } from './PreviewBanner.tsx'

export function Root() {
  const title = titleOf(useCrumbs())
  return (
    <>
      <title>{title}</title>
      {import.meta.env.MODE === 'preview' && <PreviewBanner />}
      <Outlet />
      <Later title={title} />
    </>
  )
}
