import { Outlet } from '@tanstack/react-router'
import { useCrumbs } from './Crumbs.tsx'
import { titleOf } from './crumbs.ts'
import { Later } from './later.tsx'

export function Root() {
  const title = titleOf(useCrumbs())
  return (
    <>
      <title>{title}</title>
      <Outlet />
      <Later title={title} />
    </>
  )
}
