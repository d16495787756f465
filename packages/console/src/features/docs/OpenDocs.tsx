import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { loginPath } from '#/data/redirect-uri.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { Mark } from '#/ui/data/Mark.tsx'
import { SkipLink } from '#/ui/SkipLink.tsx'
import { DocsNav } from './DocsNav.tsx'

/** The frame of the documentation for those who are not signed in. */
export function OpenDocs({ children }: { children: ReactNode }) {
  const href = useRouterState({ select: ({ location }) => location.href })
  return (
    <div className="grid h-dvh grid-cols-1 grid-rows-[var(--beam-height)_minmax(0,1fr)] bg-rail lg:grid-cols-[var(--rail-width)_minmax(0,1fr)] print:block print:h-auto">
      <SkipLink />
      <header
        data-print="hide"
        className="relative col-span-full flex items-center gap-2 bg-beam px-3.5 md:pr-gutter"
      >
        <PageLink
          to="/docs"
          aria-label="Documentation"
          className="flex items-center gap-2 rounded-control font-semibold text-strong coarse:h-11"
        >
          <Mark />
          Documentation
        </PageLink>
        {/* Signing in is an application of its own. */}
        <a href={loginPath(href)} className={`${buttonClass()} ml-auto`}>
          Sign in
        </a>
      </header>
      <div data-print="hide" className="flex flex-col gap-4 overflow-y-auto px-2.5 py-3 max-lg:hidden">
        <DocsNav isOpen />
      </div>
      <main
        id="content"
        tabIndex={-1}
        data-scroll-restoration-id="pane"
        className="relative min-h-0 overflow-auto border-t border-line bg-page outline-none lg:rounded-tl-float lg:border-l print:overflow-visible print:border-0"
      >
        <div className="px-gutter pt-3.5 pb-8 md:pt-5.5">
          <div className="max-w-page">{children}</div>
        </div>
      </main>
    </div>
  )
}
