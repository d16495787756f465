import { sections } from 'virtual:docs/contents'
import { useState } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Hits, SearchField } from './DocsNav.tsx'
import { docLink } from './links.ts'

/** All pages, by section. */
export function DocsHome() {
  const [typed, setTyped] = useState('')
  return (
    <>
      <h1 className="mb-2 text-xl">Documentation</h1>
      <p className="mb-4 max-w-184 text-md">
        How this product works and how things are done with it. Everything here belongs to the version that
        runs.
      </p>
      {/* Wide screens have it in the sidebar. */}
      <div className="mb-5 lg:hidden">
        <SearchField typed={typed} onType={setTyped} />
      </div>
      {typed.trim() === '' ? (
        <div className="grid gap-x-8 gap-y-6 md:grid-cols-2 xl:grid-cols-3">
          {sections.map(({ title, pages }) => (
            <section key={title}>
              <h2 className="mb-1.5 text-md">{title}</h2>
              <ul className="space-y-1.5">
                {pages.map((page) => (
                  <li key={page.slug}>
                    <PageLink {...docLink(page.slug)} className="link">
                      {page.title.replace(/^API: /, '')}
                    </PageLink>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      ) : (
        <Hits typed={typed} />
      )}
    </>
  )
}
