import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { palette } from '#/features/common/palette-items.ts'
import { useIdle } from '#/ui/use-idle.ts'
import { Overlays } from './parts.tsx'

/** Around every signed-in page. */
export function ConsoleRoot() {
  const isIdle = useIdle()
  // Heard from the start: the palette then opens as soon as it is there.
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Outlet />
      {isIdle && <Overlays />}
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
