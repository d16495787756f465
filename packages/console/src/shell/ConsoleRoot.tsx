import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { palette } from '../features/common/palette-items.ts'
import { settleSoon } from '../ui/late.ts'
import { Overlays } from './later.tsx'

/** Around every signed-in page. */
export function ConsoleRoot() {
  useEffect(settleSoon, [])
  // Heard from the start: the palette then opens as soon as it is there.
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Outlet />
      <Overlays />
    </>
  )
}

/** Also inside fields; pressing it again closes. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
    return
  event.preventDefault()
  palette.toggle()
}
