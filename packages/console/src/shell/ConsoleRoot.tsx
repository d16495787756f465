import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { settleSoon } from '../ui/late.ts'
import { Overlays } from './later.tsx'

/** Around every signed-in page. */
export function ConsoleRoot() {
  useEffect(settleSoon, [])
  return (
    <>
      <Outlet />
      <Overlays />
    </>
  )
}
