import { type Preview, start } from '@gantry/preview/start'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from '#/data/session.ts'
import { PreviewFrame, visits } from './PreviewFrame.tsx'
import './preview.css'

/*
 * The console's side of the control plane in the page. Only main.tsx imports this folder, and only in mode `preview`,
 * so that no other build contains any of it.
 */

let preview: Preview

/** Resolves when the control plane in the page answers its requests. */
export async function startPreview(): Promise<void> {
  preview = await start()
}

/** Puts the banner above every page. */
export function framePreview(router: AnyRouter, queryClient: QueryClient): void {
  const become = becomer(preview, router, queryClient)
  expose(become)
  router.update({
    ...router.options,
    InnerWrap: ({ children }) => (
      <PreviewFrame preview={preview} become={become}>
        {children}
      </PreviewFrame>
    ),
  })
}

/** The same on sign-in pages, which close when the user is switched. */
export function frameSignIn(page: ReactNode, onSwitch: () => void): ReactNode {
  const become = async (name: string): Promise<void> => {
    await preview.become(name)
    onSwitch()
  }
  expose(become)
  return (
    <PreviewFrame preview={preview} become={become}>
      {page}
    </PreviewFrame>
  )
}

/** For tests and the developer tools, as an alternative to the banner's menu. */
const expose = (become: (name: string) => Promise<void>): unknown =>
  Object.assign(globalThis, { gantryPreview: { become } })

/** Switches the user without reloading the page, which would lose the resources created in it. */
const becomer =
  ({ become }: Preview, router: AnyRouter, queryClient: QueryClient) =>
  async (name: string): Promise<void> => {
    await become(name)
    await queryClient.cancelQueries()
    // Answers for the previous user must not reach this one.
    queryClient.clear()
    if (session.hasEnded()) session.renew()
    await router.invalidate()
    visits.set(visits.get() + 1)
  }
