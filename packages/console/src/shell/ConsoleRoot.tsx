import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { palette } from '#/features/common/palette-items.ts'
import { useLateParts } from './use-late-parts.ts'

/** Wraps every signed-in page. */
export function ConsoleRoot() {
  const late = useLateParts()
  // Listens from the first render, so that the palette opens as soon as its code arrives.
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Outlet />
      {late && <late.Overlays />}
    </>
  )
}

/** Also works inside fields; pressing it again closes the palette. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
    return
  event.preventDefault()
  palette.toggle()
}
