import { version } from 'virtual:docs/contents'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DocNodes } from './DocNodes.tsx'
import type { DocHeading, DocPage } from './document.ts'
import { docLink } from './links.ts'

/** A page of the documentation, with what is on it and what is beside it. */
export function DocArticle({ title, nodes, headings, previous, next }: DocPage) {
  return (
    <div className="grid gap-x-8 xl:grid-cols-[minmax(0,1fr)_16rem]">
      <article className="min-w-0 max-w-184 leading-5.5">
        <h1 className="mb-2 text-xl">{title}</h1>
        <DocNodes nodes={nodes} />
        <nav
          aria-label="Previous and next page"
          className="mt-8 flex flex-wrap justify-between gap-3 border-t border-line pt-4 text-sm"
        >
          {previous && (
            <PageLink {...docLink(previous.slug)} rel="prev" className="link inline-flex items-center gap-1">
              <ChevronLeft aria-hidden className="size-4" />
              {previous.title}
            </PageLink>
          )}
          {next && (
            <PageLink
              {...docLink(next.slug)}
              rel="next"
              className="link ml-auto inline-flex items-center gap-1"
            >
              {next.title}
              <ChevronRight aria-hidden className="size-4" />
            </PageLink>
          )}
        </nav>
      </article>
      <OnThisPage headings={headings} />
    </div>
  )
}

/** More headings than this are told by those of the second level alone. */
const mostHeadings = 24

function OnThisPage({ headings }: { headings: readonly DocHeading[] }) {
  const shown = headings.filter(
    ({ level }) => level === 2 || (level === 3 && headings.length <= mostHeadings),
  )
  return (
    <aside className="sticky top-0 max-h-[60dvh] self-start overflow-y-auto text-sm max-xl:hidden">
      {shown.length > 1 && (
        <nav aria-label="On this page">
          <h2 className="mb-1.5 text-xs font-medium text-muted">On this page</h2>
          <ul className="border-l border-line">
            {shown.map(({ id, text, level }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className={`block py-1 text-muted hover:text-strong ${level === 2 ? 'pl-3' : 'pl-6'}`}
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className="mt-5 text-muted">For Gantry {version}, the version that runs here.</p>
    </aside>
  )
}
