import { type Preview, start } from '@gantry/preview/start'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { becomer } from './become.ts'
import { PreviewFrame } from './PreviewFrame.tsx'
import './preview.css'

/*
 * The console's side of the control plane in the page. Only main.tsx imports this folder, in mode `preview` alone, so
 * that no other build has anything of it.
 */

let preview: Preview

/** Resolves when requests of this page are answered in it. */
export async function startPreview(): Promise<void> {
  preview = await start()
}

/** Puts the banner above every page. */
export function framePreview(router: AnyRouter, queryClient: QueryClient): void {
  const become = becomer(preview, router, queryClient)
  // For tests and for the developer's tools: the menu of the banner does the same.
  Object.assign(globalThis, { gantryPreview: { become } })
  router.update({
    ...router.options,
    InnerWrap: ({ children }) => (
      <PreviewFrame preview={preview} become={become}>
        {children}
      </PreviewFrame>
    ),
  })
}
