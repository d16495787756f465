import { type Preview, start } from '@gantry/preview/start'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from '#/data/session.ts'
import { PreviewFrame } from './PreviewFrame.tsx'
import { visit } from './visit.ts'
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
  offer(become)
  router.update({
    ...router.options,
    InnerWrap: ({ children }) => (
      <PreviewFrame preview={preview} become={become}>
        {children}
      </PreviewFrame>
    ),
  })
}

/** The same on pages of signing in, which whoever becomes somebody has no more use for. */
export function frameSignIn(page: ReactNode, goOn: () => void): ReactNode {
  const become = async (name: string): Promise<void> => {
    await preview.become(name)
    goOn()
  }
  offer(become)
  return (
    <PreviewFrame preview={preview} become={become}>
      {page}
    </PreviewFrame>
  )
}

/** For tests and for the developer's tools: the menu of the banner does the same. */
const offer = (become: (name: string) => Promise<void>): unknown =>
  Object.assign(globalThis, { gantryPreview: { become } })

/** Makes the page somebody else's without loading it anew, which would lose what was made in it. */
const becomer =
  ({ become }: Preview, router: AnyRouter, queryClient: QueryClient) =>
  async (name: string): Promise<void> => {
    await become(name)
    await queryClient.cancelQueries()
    // Answers given to whoever was here before are not for this person.
    queryClient.clear()
    if (session.hasEnded()) session.renew()
    await router.invalidate()
    visit.begin()
  }
